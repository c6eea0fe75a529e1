/* In place of the header that meson would write: nothing of it is used here. */
