/* C11's operations by the builtins that take values. Those of gcc's header take addresses of temporaries, whose accesses would be
   taken for the operation's. Structs and unions have no such builtins. */
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
/* gcc's classes 12 and 13 are structs and unions. What is not chosen must be well-typed: a struct is an int there. */
#define THREADER_IS_STRUCT(object) (__builtin_classify_type(*(object)) == 12 || __builtin_classify_type(*(object)) == 13)
#define THREADER_INSTEAD(object, what, dummy) __builtin_choose_expr(THREADER_IS_STRUCT(object), dummy, what)
#define THREADER_POINTER(object) ((__typeof__(THREADER_INSTEAD(object, object, (int *)0)))(object))
#define THREADER_VALUE(object, value) THREADER_INSTEAD(object, value, 0)
#define THREADER_HELD(object) __typeof__(((void)0, *(object)))
#define atomic_store_explicit(object, value, order) __builtin_choose_expr(THREADER_IS_STRUCT(object), \
  ({ THREADER_HELD(object) threader_new = (value); __atomic_store(object, &threader_new, order); }), \
  __atomic_store_n(THREADER_POINTER(object), THREADER_VALUE(object, value), order))
#define atomic_load_explicit(object, order) __builtin_choose_expr(THREADER_IS_STRUCT(object), \
  ({ THREADER_HELD(object) threader_old; __atomic_load(object, &threader_old, order); threader_old; }), \
  __atomic_load_n(THREADER_POINTER(object), order))
#define atomic_exchange_explicit(object, value, order) __builtin_choose_expr(THREADER_IS_STRUCT(object), \
  ({ THREADER_HELD(object) threader_new = (value), threader_old; \
     __atomic_exchange(object, &threader_new, &threader_old, order); threader_old; }), \
  __atomic_exchange_n(THREADER_POINTER(object), THREADER_VALUE(object, value), order))
#define THREADER_COMPARE(object, expected, value, weak, success, failure) __builtin_choose_expr(THREADER_IS_STRUCT(object), \
  ({ THREADER_HELD(object) threader_new = (value); \
     __atomic_compare_exchange(object, expected, &threader_new, weak, success, failure); }), \
  __atomic_compare_exchange_n(THREADER_POINTER(object), THREADER_VALUE(object, expected), THREADER_VALUE(object, value), \
                              weak, success, failure))
#define atomic_store(object, value) atomic_store_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_load(object) atomic_load_explicit(object, __ATOMIC_SEQ_CST)
#define atomic_exchange(object, value) atomic_exchange_explicit(object, value, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(object, expected, value, success, failure) \
  THREADER_COMPARE(object, expected, value, 0, success, failure)
#define atomic_compare_exchange_strong(object, expected, value) \
  THREADER_COMPARE(object, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(object, expected, value, success, failure) \
  THREADER_COMPARE(object, expected, value, 1, success, failure)
#define atomic_compare_exchange_weak(object, expected, value) \
  THREADER_COMPARE(object, expected, value, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
