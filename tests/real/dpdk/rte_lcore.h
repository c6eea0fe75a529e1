/* In place of DPDK's header of this name, which brings in all of its cores: nothing of it is used here. */
