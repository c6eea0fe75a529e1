/* What jack's configure would write, as far as its ring buffer asks for it. */
