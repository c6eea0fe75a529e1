/* What pulseaudio's meson would write, as far as its lists ask for it. */
#define PACKAGE "pulseaudio"
#define HAVE_ATOMIC_BUILTINS 1
#define HAVE_ATOMIC_BUILTINS_MEMORY_MODEL 1
