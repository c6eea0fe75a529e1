/* All of it is in ngx_config.h. */
