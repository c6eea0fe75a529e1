/* C11's operations by the builtins that take values. Those of gcc's header take addresses of temporaries, whose accesses would be
   taken for the operation's. */
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_load
#undef atomic_load_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#define atomic_store(object, value) __atomic_store_n(object, value, __ATOMIC_SEQ_CST)
#define atomic_store_explicit(object, value, order) __atomic_store_n(object, value, order)
#define atomic_load(object) __atomic_load_n(object, __ATOMIC_SEQ_CST)
#define atomic_load_explicit(object, order) __atomic_load_n(object, order)
#define atomic_exchange(object, value) __atomic_exchange_n(object, value, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(object, value, order) __atomic_exchange_n(object, value, order)
#define atomic_compare_exchange_strong(object, expected, value) \
  __atomic_compare_exchange_n(object, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(object, expected, value, success, failure) \
  __atomic_compare_exchange_n(object, expected, value, 0, success, failure)
#define atomic_compare_exchange_weak(object, expected, value) \
  __atomic_compare_exchange_n(object, expected, value, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(object, expected, value, success, failure) \
  __atomic_compare_exchange_n(object, expected, value, 1, success, failure)
