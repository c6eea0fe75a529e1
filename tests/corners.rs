//! C in its corners: small programs with known answers, explored under all schedules, fused and unfused; and what is refused,
//! with the whole message.

mod support;

use frontend::{Fusion, Options};
use support::explore::{SMALL, explore};
use support::lowered::lower_text;
use support::native::scratch;

/// What becomes of a program's assertions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Hold,
    CanFail,
    Refused(&'static str),
    /// Not with one thread for each creation.
    Unbounded,
}

use Expected::{CanFail, Hold, Refused, Unbounded};

const HEADER: &str = "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\nextern void reach_error(void);\n";

fn check(name: &str, expected: Expected, text: &str) {
    let dir = scratch(&format!("corners_{name}"));
    for fusion in [Fusion::On, Fusion::Local, Fusion::Off] {
        let options = Options { fusion, ..Options::default() };
        let found = match lower_text(&dir, name, &format!("{HEADER}{text}"), &options) {
            Ok(loaded) => {
                let found = explore(&loaded.program, &[], &SMALL, 100_000).unwrap_or_else(|e| panic!("{name}: {e}"));
                let unmodelled = found.failures.iter().map(|failure| loaded.unmodelled.get(&failure.location));
                match unmodelled.collect::<Option<Vec<_>>>().as_deref() {
                    Some([]) => Ok(Hold),
                    Some([what, ..]) => Err(format!("Unsupported: {what}")),
                    None => Ok(CanFail),
                }
            }
            Err(message) => Err(message),
        };
        match (expected, found) {
            (Refused(what), Err(message)) => {
                assert!(message.ends_with(&format!("Unsupported: {what}")), "{name}, fusion {fusion:?}: {message}");
            }
            (Unbounded, Err(message)) => {
                let expected = "UnboundedCreation: unbounded thread creation";
                assert!(message.ends_with(expected), "{name}, fusion {fusion:?}: {message}");
            }
            (_, found) => assert_eq!(found, Ok(expected), "{name}, fusion {fusion:?}"),
        }
    }
}

macro_rules! corners {
    ($($name:ident: $expected:expr, $text:literal;)*) => {
        $(#[test] fn $name() { check(stringify!($name), $expected, $text); })*
    };
}

corners! {
    a_member_of_an_atomic_struct: Refused("access to a member of an `_Atomic` struct or union"), r#"_Atomic struct { int a, b; } p;
int main(void){ p.a = 1; return 0; }
"#;
    a_pointer_to_a_member_of_an_atomic_struct: Refused("access to a member of an `_Atomic` struct or union"), r#"struct pair { int a, b; };
_Atomic struct pair p; int main(void){ _Atomic struct pair *q = &p; return q->b; }
"#;
    a_strong_exchange_compares_padding: Refused("a strong compare-and-exchange of a struct with padding, which is compared too"), r#"#include <stdatomic.h>
struct tagged { char c; int i; }; _Atomic struct tagged p;
int main(void){ struct tagged e = { 0, 0 }, d = { 1, 1 }; atomic_compare_exchange_strong(&p, &e, d); return 0; }
"#;
    a_strong_exchange_compares_bits_beside_bit_fields: Refused("a strong compare-and-exchange of a struct with padding, which is compared too"), r#"#include <stdatomic.h>
struct bits { unsigned a : 3, b : 5; }; _Atomic struct bits p;
int main(void){ struct bits e = { 0, 0 }, d = { 1, 1 }; atomic_compare_exchange_strong(&p, &e, d); return 0; }
"#;
    bit_fields_without_padding_are_compared: Hold, r#"#include <stdatomic.h>
struct bits { unsigned a : 3, b : 29; }; _Atomic struct bits p;
int main(void){ struct bits e = { 0, 0 }, d = { 1, 2 };
  assert(atomic_compare_exchange_strong(&p, &e, d)); assert(!atomic_compare_exchange_strong(&p, &e, d)); assert(e.a == 1 && e.b == 2); return 0; }
"#;
    a_weak_exchange_with_padding_may_fail: CanFail, r#"#include <stdatomic.h>
struct tagged { char c; int i; }; _Atomic struct tagged p;
int main(void){ struct tagged e = { 0, 0 }, d = { 1, 1 }; assert(atomic_compare_exchange_weak(&p, &e, d)); return 0; }
"#;
    an_exchange_of_unions_compares_their_bytes: Hold, r#"#include <stdatomic.h>
union word { unsigned w; unsigned char c[4]; }; _Atomic union word p;
int main(void){ union word e, d; e.w = 0; d.c[0] = 1; d.c[1] = 1; d.c[2] = 0; d.c[3] = 0;
  assert(atomic_compare_exchange_strong(&p, &e, d)); assert(!atomic_compare_exchange_strong(&p, &e, d)); assert(e.w == 257); return 0; }
"#;
    an_exchange_of_floats: Refused("a compare-and-exchange of floating point or pthread objects"), r#"#include <stdatomic.h>
struct f { float x; int i; }; _Atomic struct f p;
int main(void){ struct f e = { 0, 0 }; atomic_compare_exchange_weak(&p, &e, e); return 0; }
"#;
    an_atomic_struct_is_aligned_for_one_access: Hold, r#"struct pair { short a, b; }; struct three { char a, b, c; };
struct all { char x; _Atomic struct pair p; char y; _Atomic struct three t; _Atomic long long l; };
int main(void){ assert(sizeof(struct all) == 24); assert(_Alignof(_Atomic struct pair) == 4); assert(_Alignof(_Atomic struct three) == 1); return 0; }
"#;
    a_compound_literal_is_seen_through_pointers: Hold, r#"int main(void){ int *q = (int[]){1,2}; int *p = __VERIFIER_nondet_int() ? q : 0; if(p){ *p = 9;
  assert(*q==9);} return 0; }
"#;
    a_compound_literal_is_shared_once_passed_on: CanFail, r#"void *f(void*a){ *(int*)a = 5; return 0; }
int main(void){ int *q = (int[]){1}; pthread_t t; pthread_create(&t,0,f,q); assert(*q==1); return 0; }
"#;
    a_union_of_alike_members: CanFail, r#"union {int i; unsigned j;} u;
int main(void){ u.i = -1; assert(u.j != 4294967295u); return 0; }
"#;
    large_structs_start_with_all_fields_zero: Hold, r#"struct S {int n; int m; char buf[10000];};
int main(void){ for(int i=0;i<2;i++){ struct S s = {0}; assert(s.n==0); s.n=5; s.m=__VERIFIER_nondet_int();
  } return 0; }
"#;
    a_negative_result_stored_through_a_pointer: Hold, r#"void *f(void*a){ return (void*)-1; }
long r1,r2;
int main(void){ pthread_t t; long *w = __VERIFIER_nondet_int() ? &r1 : &r2; pthread_create(&t,0,f,0);
  pthread_join(t,(void**)w); assert(*w==-1); return 0; }
"#;
    an_integer_seen_as_a_pointer: Hold, r#"int main(void){ long r=-1; void **q = (void**)&r; void *p = *q; assert(p == (void*)-1); return 0; }
"#;
    an_error_function_behind_a_pointer: CanFail, r#"void reach_error(void) { }
int main(void){ void (*g)(void) = __VERIFIER_nondet_int() ? reach_error : abort; g(); return 0; }
"#;
    an_error_function_with_a_body_behind_a_pointer: CanFail, r#"void reach_error(void) { }
void other(void) { }
int main(void){ void (*g)(void) = __VERIFIER_nondet_int() ? reach_error : other; g(); return 0; }
"#;
    a_thread_may_be_one_atomic_section: Hold, r#"int x;
void *__VERIFIER_atomic_f(void*a){ x=1; x=0; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,__VERIFIER_atomic_f,0); assert(x==0); return 0; }
"#;
    the_address_of_a_loop_counter_is_passed_on: CanFail, r#"int x;
void *f(void*a){ x = *(int*)a; return 0; }
int main(void){ pthread_t t[2]; for(int i=0;i<2;i++) pthread_create(&t[i],0,f,&i); pthread_join(t[0],0);
  pthread_join(t[1],0); assert(x!=2); return 0; }
"#;
    random_numbers_are_not_negative: Hold, r#"int main(void){ int r = rand(); assert(r >= 0); return 0; }
"#;
    the_length_of_a_literal: Hold, r#"#include <string.h>
int main(void){ assert(strlen("abc") == 3); return 0; }
"#;
    the_condition_is_evaluated_once: Hold, r#"int n; int f(void){ n++; return 7; }
int main(void){ int x = f() ?: 3; assert(x==7 && n==1); return 0; }
"#;
    the_other_operand_if_the_condition_is_zero: Hold, r#"int n; int f(void){ n++; return 0; }
int main(void){ int x = f() ?: 3; assert(x==3 && n==1); int *p = 0; int y; int *q = p ?: &y;
  assert(q == &y); return 0; }
"#;
    auto_type: Hold, r#"int main(void){ __auto_type x = 5; assert(x==5); return 0; }
"#;
    parameters_shadow_typedefs: Hold, r#"typedef int T;
int f(int T){ return T+1; }
int g(void){ int T = 3; return T; }
int main(void){ assert(f(1)==2 && g()==3); T z = 1; assert(z==1); return 0; }
"#;
    a_thread_redirects_a_pointer: Hold, r#"int a,b; int *p=&a;
void *f(void*arg){ int **pp = arg; *pp = &b; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,&p); pthread_join(t,0); *p = 7; assert(b==7 && a==0);
  return 0; }
"#;
    negative_indices: Hold, r#"int arr[5];
int main(void){ int *p = arr+3; p[-1] = 4; assert(arr[2]==4); int i = __VERIFIER_nondet_int();
  __VERIFIER_assume(i>0&&i<5); p = arr + i; p[-1] = 9; assert(arr[i-1]==9); return 0; }
"#;
    increments_of_bool: Hold, r#"int main(void){ _Bool b=0; void *k=&b; b++; b++; assert(b==1); b--; assert(b==0); b = 256; assert(b==1);
  b += -1; assert(b==0); return 0; }
"#;
    thread_local_variables: Hold, r#"_Thread_local int c; int x;
void *f(void*a){ c++; x=c; return 0; }
int main(void){ pthread_t t; c = 5; pthread_create(&t,0,f,0); pthread_join(t,0); assert(x==1 && c==5);
  return 0; }
"#;
    a_case_label_inside_a_loop: Hold, r#"int main(void){ int n=__VERIFIER_nondet_int(), c=0; __VERIFIER_assume(n>=1&&n<=2); int k=(n+1)/2;
  switch(n%2){ case 0: do { c++; case 1: c++; } while(--k>0); } assert(c==n); return 0; }
"#;
    case_ranges: Hold, r#"int g(int x){ switch(x){ case 1 ... 3: return 1; case 5: return 2; } return 0; }
int main(void){ int x=__VERIFIER_nondet_int(); int r=g(x); assert(r != 1 || (x>=1&&x<=3));
  assert(x!=2 || r==1); assert(g(5)==2&&g(9)==0); return 0; }
"#;
    continue_in_do_while: Hold, r#"int main(void){ int i=0, n=0; void *e=&i; do { i++; if(i==2) continue; n++; } while(i<4);
  assert(n==3&&i==4); return 0; }
"#;
    statement_expressions: Hold, r#"int main(void){ int s=0; for(int i=0;i<3;i++){ s += ({ int y=i; if(y==1) y=10; y; }); } assert(s==12);
  return 0; }
"#;
    a_call_changes_a_global_in_a_loop: Hold, r#"int g; void inc(void){ g++; }
int main(void){ g = 0; for(int i=0;i<3;i++) inc(); assert(g==3); return 0; }
"#;
    goto_into_a_loop: Hold, r#"int main(void){ int k=5, n=0; goto in; while(k<8){ n++; in: k++; } assert(k==8 && n==2); return 0; }
"#;
    creation_on_one_branch: CanFail, r#"int x; void *f(void*a){ x=1; return 0; }
int main(void){ pthread_t t; if(__VERIFIER_nondet_int()) pthread_create(&t,0,f,0); x=2; assert(x==2);
  return 0; }
"#;
    creation_in_a_function: CanFail, r#"int x; void *f(void*a){ x=1; return 0; }
void start(pthread_t *t){ pthread_create(t,0,f,0); }
int main(void){ pthread_t t; start(&t); x=2; assert(x==2); return 0; }
"#;
    handles_in_structs: Hold, r#"int x; void *f(void*a){ x=1; return 0; }
struct W { pthread_t t; int k; } w[2];
int main(void){ for(int i=0;i<2;i++) pthread_create(&w[i].t,0,f,0);
  for(int i=0;i<2;i++) pthread_join(w[i].t,0); assert(x==1); return 0; }
"#;
    mutexes_behind_pointers: Hold, r#"int x; struct C { pthread_mutex_t m; int v; } c = { PTHREAD_MUTEX_INITIALIZER, 0 };
void inc(struct C *p){ pthread_mutex_lock(&p->m); p->v++; pthread_mutex_unlock(&p->m); }
void *f(void*a){ inc(a); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,&c); inc(&c); pthread_join(t,0); assert(c.v==2);
  return 0; }
"#;
    arrays_of_mutexes: Hold, r#"pthread_mutex_t m[2]; int v;
void *f(void*a){ pthread_mutex_lock(&m[(long)a]); v++; pthread_mutex_unlock(&m[(long)a]); return 0; }
int main(void){ pthread_t t; pthread_mutex_init(&m[0],0); pthread_mutex_init(m+1,0);
  pthread_create(&t,0,f,(void*)1); pthread_mutex_lock(m+1); v++; pthread_mutex_unlock(m+1);
  pthread_join(t,0); assert(v==2); return 0; }
"#;
    pthread_exit_in_a_nested_call: Hold, r#"int x; void g(void){ pthread_exit((void*)3); } void *f(void*a){ g(); x=1; return 0; }
int main(void){ pthread_t t; void *r; pthread_create(&t,0,f,0); pthread_join(t,&r);
  assert(x==0 && (int)(long)r==3); return 0; }
"#;
    structs_by_value: Hold, r#"struct P { int a; char b; int c[2]; }; struct P mk(int k){ struct P p = { k, 'x', {k, k+1} }; return p; }
int sum(struct P p){ p.a += 1; return p.a + p.c[1]; }
int main(void){ struct P p = mk(3), q; q = p; assert(sum(q)==8 && q.a==3 && mk(4).c[1]==5); return 0; }
"#;
    a_table_of_functions: Hold, r#"int f0(int x){return x;} int f1(int x){return x+1;} int (*tab[2])(int) = { f0, f1 };
int main(void){ int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i==0||i==1); assert(tab[i](4)==4+i);
  return 0; }
"#;
    a_function_active_twice_without_recursion: Hold, r#"int f1(int x){return x+1;} int call(int(*g)(int), int x){ return g(x); } int f2(int x){ return call(f1,x); }
int main(void){ assert(call(f2,1)==2); return 0; }
"#;
    recursion_with_a_constant_bound: Hold, r#"int f(int n){ return n<=0?0:1+f(n-1); } int main(void){ assert(f(3)==3); return 0; }
"#;
    threads_with_handlers_do_not_end: Refused("the end of a thread that has cleanup handlers left to run"),
        "static void f(void *p) {} int main(void) { pthread_cleanup_push(f, 0); pthread_exit(0); pthread_cleanup_pop(0); return 0; }";
    assembly_without_its_lock: Refused("inline assembly"),
        r#"int main(void) { int x = 1, y = 2; __asm__("xaddl %0, %1" : "+r"(x), "+m"(y)); return 0; }"#;
    library_names_with_bodies: Hold, r#"int printf(const char *s, ...){ return 3; } int x; int rand(void){ x=1; return 4; }
int main(void){ assert(printf("a")==3 && rand()==4 && x==1); return 0; }
"#;
    unused_variadic_arguments: Hold, r#"int f(int n, ...){ return n; }
int main(void){ assert(f(1,2)==1); return 0; }
"#;
    pointers_into_literals: Hold, r#"char *s = "hello";
int main(void){ char *p = s; int n=0; while(*p) { p++; n++; } assert(n==5 && s[1]=='e' && "abc"[2]=='c');
  return 0; }
"#;
    mixed_signedness: Hold, r#"int main(void){ int a=-1; unsigned b=1; void*k=&a; assert(a > b); assert((long)a < (long)b);
  unsigned char c = 200; signed char d = (signed char)c; assert(d==-56); assert((c<<1)==400); c <<= 1;
  assert(c==144); short sh = 32767; sh++; assert(sh==-32768); return 0; }
"#;
    bit_fields: Hold, r#"struct B { unsigned a:3; int b:4; unsigned c:1; } s;
int main(void){ void *k=&s; s.a = 9; assert(s.a==1); s.b = 7; s.b++; assert(s.b==-8); s.c = 1; s.c++;
  assert(s.c==0); int v = (s.a = 15); assert(v==7); return 0; }
"#;
    matrices: Hold, r#"int a[2][3]; int main(void){ for(int i=0;i<2;i++) for(int j=0;j<3;j++) a[i][j]=i*10+j;
  int i=__VERIFIER_nondet_int(), j=__VERIFIER_nondet_int(); __VERIFIER_assume(i>=0&&i<2&&j>=0&&j<3);
  assert(a[i][j]==i*10+j); int (*p)[3] = a; assert(p[1][2]==12 && *(*(p+1)+1)==11); return 0; }
"#;
    arrays_of_structs: Hold, r#"struct E { int k; int v[2]; } e[3]; int main(void){ int i=__VERIFIER_nondet_int();
  __VERIFIER_assume(i>=0&&i<3); struct E *p=&e[i]; p->v[1]=5; p->k = i; assert(e[i].v[1]==5 && e[i].k==i);
  for(int j=0;j<3;j++) if(j!=i) assert(e[j].v[1]==0); p++; return 0; }
"#;
    nested_sections: Hold, r#"int x; void *f(void*a){ __VERIFIER_atomic_begin(); x=1; __VERIFIER_atomic_begin(); x=2;
  __VERIFIER_atomic_end(); x=0; __VERIFIER_atomic_end(); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x==0); return 0; }
"#;
    a_break_out_of_a_section: CanFail, r#"int x; void *f(void*a){ for(int i=0;i<3;i++){ __VERIFIER_atomic_begin(); x++; if(x==2){
  __VERIFIER_atomic_end(); break; } __VERIFIER_atomic_end(); } return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x<2); return 0; }
"#;
    a_section_that_never_ends_keeps_others_waiting: Hold, r#"int x; void *f(void*a){ __VERIFIER_atomic_begin(); x=1; while(1); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); int l=x; assert(l==0); return 0; }
"#;
    a_write_before_abort_is_seen: CanFail, r#"int x; void *f(void*a){ x=1; abort(); }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x==0); return 0; }
"#;
    a_write_before_a_null_access_is_seen: CanFail, r#"int x,z; int a[2]; void *f(void*p){ x=1; int *q = 0; *q = 3; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x==0); return 0; }
"#;
    a_write_before_a_division_by_zero_is_seen: CanFail, r#"int x,z; void *f(void*p){ x=1; int r = 5/z; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x==0); return 0; }
"#;
    a_mutex_locked_twice_blocks: Hold, r#"pthread_mutex_t m; int main(void){ pthread_mutex_init(&m,0); pthread_mutex_lock(&m);
  pthread_mutex_lock(&m); assert(0); return 0; }
"#;
    enumerations: Hold, r#"enum E { A=-1, B } e; enum F { C, D=5 }; int main(void){ e = A; assert(e<0); enum F f = D; assert(f==5);
  return 0; }
"#;
    pointer_comparison_and_difference: Hold, r#"int a[3]; int main(void){ int *p=a,*q=a+2; assert(q>p && q-p==2 && p<q && &a[3]-q==1); return 0; }
"#;
    constants_changed_through_pointers_in_loops: Hold, r#"int a; static void bump(int *p){ (*p)++; }
int main(void){ int x=0, y=5; for(int i=0;i<3;i++){ bump(&x); y = x; } assert(x==3 && y==3); return 0; }
"#;
    constants_in_nested_loops: Hold, r#"int main(void){ int k=1, s=0; for(int i=0;i<2;i++){ int j=0; while(j<2){ s+=k; j++; if(s==3) k=10; } }
  assert(s==13 && k==10); return 0; }
"#;
    an_unrolled_loop_with_break_and_continue: CanFail, r#"int x; void *f(void*a){ x+=(int)(long)a; return 0; }
int main(void){ pthread_t t[4]; int n=0; for(int i=0;i<4;i++){ if(i==2) break; if (i==0) continue;
  pthread_create(&t[i],0,f,(void*)(long)i); n++; } assert(n==1); pthread_join(t[1],0); assert(x!=1);
  return 0; }
"#;
    unrolled_while_and_do_while: Hold, r#"int x; void *f(void*a){ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
int main(void){ pthread_t t[3]; int i=3; while(i-->0) pthread_create(&t[i],0,f,0); i=0; do {
  pthread_join(t[i],0); } while(++i<3); assert(x==3); return 0; }
"#;
    an_unrolled_loop_left_at_any_round: CanFail, r#"int x; void *f(void*a){ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
int main(void){ pthread_t t[3]; int n=0; for(int i=0;i<3;i++){ if(__VERIFIER_nondet_int()) break;
  pthread_create(&t[i],0,f,0); n++; } for(int i=0;i<n;i++) pthread_join(t[i],0); assert(x==n);
  assert(x!=2); return 0; }
"#;
    switch_in_a_loop_with_continue: Hold, r#"int main(void){ int s=0; for(int i=0;i<5;i++){ switch(i){ case 0: continue; case 1: s+=1; case 2: s+=10;
  break; default: s+=100; } } assert(s==221); return 0; }
"#;
    goto_out_of_nested_loops: Hold, r#"int main(void){ int n=0; for(int i=0;i<3;i++) for(int j=0;j<3;j++){ if(i==1&&j==1) goto out; n++; }
  out: assert(n==4); return 0; }
"#;
    a_start_routine_in_a_variable: CanFail, r#"int g; void *f(void*a){ g=1; return 0; } void *(*start)(void*) = f;
int main(void){ pthread_t t; pthread_create(&t,0,start,0); assert(g==0); return 0; }
"#;
    a_thread_calls_through_a_pointer: CanFail, r#"int g; void set(void){ g=1; } void (*h)(void)=set; void *f(void*a){ h(); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(g==0); return 0; }
"#;
    a_pointer_in_a_struct: CanFail, r#"struct S { int *p; }; int x; struct S s = { &x };
void *f(void*a){ struct S *q=a; *q->p = 3; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,&s); assert(x==0); return 0; }
"#;
    an_array_of_pointers: CanFail, r#"int x,y; int *tab[2] = { &x, &y }; void *f(void*a){ *tab[(long)a] = 1; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,(void*)1); pthread_join(t,0); assert(x==0);
  assert(y==0); return 0; }
"#;
    a_pointer_as_the_result_of_a_thread: Hold, r#"int cell; void *f(void*a){ cell=4; return &cell; }
int main(void){ pthread_t t; void *r; pthread_create(&t,0,f,0); pthread_join(t,&r); int *p=r;
  assert(*p==4); *p=5; assert(cell==5); return 0; }
"#;
    a_local_published_by_its_thread: CanFail, r#"int *gp; void *f(void*a){ int l=0; gp=&l; if(l!=0) assert(0); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); int *p=gp; if(p) *p=1; return 0; }
"#;
    arguments_in_structs: Hold, r#"struct A { int lo, hi; int *out; }; int r[2];
void *f(void*a){ struct A *p=a; int s=0; for(int i=p->lo;i<p->hi;i++) s+=i; *p->out = s; return 0; }
int main(void){ struct A a[2] = {{0,3,&r[0]},{3,5,&r[1]}}; pthread_t t[2];
  for(int i=0;i<2;i++) pthread_create(&t[i],0,f,&a[i]); for(int i=0;i<2;i++) pthread_join(t[i],0);
  assert(r[0]+r[1]==10); return 0; }
"#;
    threads_create_threads: CanFail, r#"int x; void *g(void*a){ x=2; return 0; } void *f(void*a){ pthread_t t; pthread_create(&t,0,g,0); x=1;
  return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); assert(x==1); return 0; }
"#;
    exit_in_a_thread_ends_all: Hold, r#"#include <stdlib.h>
int x; void *f(void*a){ exit(0); x=1; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); assert(0); return 0; }
"#;
    an_assertion_before_a_lock_that_blocks: CanFail, r#"pthread_mutex_t m; void *f(void*a){ int l=__VERIFIER_nondet_int(); assert(l!=1); pthread_mutex_lock(&m);
  return 0; }
int main(void){ pthread_t t; pthread_mutex_init(&m,0); pthread_mutex_lock(&m); pthread_create(&t,0,f,0);
  pthread_join(t,0); return 0; }
"#;
    an_assertion_before_undefined_behaviour: CanFail, r#"int a[2]; int main(void){ int i=__VERIFIER_nondet_int(); assert(i!=2); a[i]=1; return 0; }
"#;
    an_assertion_after_undefined_behaviour: Hold, r#"int a[2]; int main(void){ int i=__VERIFIER_nondet_int(); a[i]=1; assert(i==0||i==1); return 0; }
"#;
    locking_inside_a_section: Hold, r#"pthread_mutex_t m; int x; void *f(void*a){ pthread_mutex_lock(&m); x=1; x=0; pthread_mutex_unlock(&m);
  return 0; }
int main(void){ pthread_t t; pthread_mutex_init(&m,0); pthread_create(&t,0,f,0); __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m); assert(x==0); pthread_mutex_unlock(&m); __VERIFIER_atomic_end(); return 0; }
"#;
    creation_inside_a_section: CanFail, r#"int x; void *f(void*a){ x=1; return 0; }
int main(void){ pthread_t t; __VERIFIER_atomic_begin(); pthread_create(&t,0,f,0); assert(x==0);
  __VERIFIER_atomic_end(); assert(x==0); return 0; }
"#;
    creation_inside_a_section_with_a_loop: Hold, r#"int x; void *f(void*a){ x=1; return 0; }
int main(void){ pthread_t t; __VERIFIER_atomic_begin(); pthread_create(&t,0,f,0);
  for(int i=0;i<2;i++) assert(x==0); __VERIFIER_atomic_end(); return 0; }
"#;
    starting_threads_wait_for_sections: Hold, r#"int x,y; void *g(void*a){ y=1; return 0; } void *f(void*a){ __VERIFIER_atomic_begin(); x=1;
  for(int i=0;i<2;i++) y=0; assert(y==0); x=0; __VERIFIER_atomic_end(); return 0; }
int main(void){ pthread_t t,u; pthread_create(&t,0,f,0); pthread_create(&u,0,g,0); assert(x==0); return 0; }
"#;
    an_atomic_function_with_early_return: Hold, r#"int x; void __VERIFIER_atomic_up(int c){ x=1; if(c) { x=2; return; } x=3; x=2; }
void *f(void*a){ __VERIFIER_atomic_up(__VERIFIER_nondet_int()); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); int l=x; assert(l==0||l==2); return 0; }
"#;
    conversion_to_bool: Hold, r#"int main(void){ int v=__VERIFIER_nondet_int(); _Bool b=v; assert(b==(v!=0)); _Bool c=(v&2);
  assert(c==0||c==1); int *p=&v; _Bool d=p; assert(d); return 0; }
"#;
    compound_assignment_to_narrow_types: Hold, r#"int main(void){ unsigned char c=250; void*k=&c; c+=10; assert(c==4); c-=5; assert(c==255); c*=2;
  assert(c==254); c/=3; assert(c==84); c^=0xff; assert(c==171); c>>=2; assert(c==42); short s=-5;
  void*q=&s; s%=3; assert(s==-2); s/=-2; assert(s==1); s<<=3; assert(s==8); signed char d=-128; void*r=&d;
  d--; assert(d==127); return 0; }
"#;
    mixed_widths: Hold, r#"int main(void){ long l=1L<<40; void*k=&l; int i=(int)l; assert(i==0); unsigned u=-1; void*m=&u;
  assert(u==4294967295u); assert((u+1)==0u); long s=u; assert(s==4294967295L);
  unsigned long ul=(unsigned long)-1; assert(ul>s); assert(-1<1u == 0); return 0; }
"#;
    characters: Hold, r#"int main(void){ char c=200; void*k=&c; assert(c<0); assert('\xff'<0); assert((unsigned char)c==200);
  char s[]="\xff"; assert(s[0]==-1); assert(sizeof('a')==4); return 0; }
"#;
    constant_arrays: Hold, r#"static const int tab[4]={3,1,4,1}; int main(void){ int i=__VERIFIER_nondet_int();
  __VERIFIER_assume(i>=0&&i<4); int s=tab[i]; assert(s==3||s==1||s==4); assert(tab[2]==4);
  const int *p=tab; assert(p[0]==3 && *(p+3)==1); return 0; }
"#;
    pointers_into_large_arrays: Hold, r#"int a[100]; int main(void){ for(int i=0;i<100;i++) a[i]=i; int *p=&a[50]; assert(p[-1]==49 && p[1]==51);
  *p=7; assert(a[50]==7); int i=__VERIFIER_nondet_int(); __VERIFIER_assume(i>=0 && i<3); assert(a[i]==i);
  return 0; }
"#;
    large_arrays_of_structs: Hold, r#"struct P{int x; char y; int z[3];} a[20]; int main(void){ for(int i=0;i<20;i++){ a[i].x=i; a[i].y=i+1;
  a[i].z[2]=i+2; } struct P *p=a+5; assert(p->x==5&&p->y==6&&p->z[2]==7&&p[1].z[2]==8); struct P q=*p;
  q.x++; assert(q.x==6&&a[5].x==5&&q.z[2]==7); return 0; }
"#;
    struct_copies_through_pointers: Hold, r#"struct S{int a,b;} s={1,2},t; int main(void){ struct S *p=&s,*q=&t; *q=*p; p->a=9;
  assert(q->a==1&&q->b==2); struct S u=(struct S){.b=5}; assert(u.a==0&&u.b==5); return 0; }
"#;
    members_of_returned_structs: Hold, r#"struct S{int a; int *p;}; int g; struct S mk(int v){ struct S s; s.a=v; s.p=&g; return s; } int main(void){
  *mk(3).p = 8; assert(g==8); assert(mk(2).a==2); return 0; }
"#;
    own_handles: Hold, r#"pthread_t me; void *f(void*a){ return (void*)(long)pthread_equal(me,pthread_self()); } int main(void){
  me=pthread_self(); pthread_t t; void*r; pthread_create(&t,0,f,0); pthread_join(t,&r); assert(r==0);
  return 0; }
"#;
    a_static_local_of_two_threads: CanFail, r#"int next(void){ static int n=0; return n++; } int r[2]; void *f(void*a){ r[(long)a]=next(); return 0; }
int main(void){ pthread_t t,u; pthread_create(&t,0,f,(void*)0); pthread_create(&u,0,f,(void*)1);
  pthread_join(t,0); pthread_join(u,0); assert(r[0]!=r[1]); return 0; }
"#;
    remainders_of_negative_numbers: Hold, r#"int main(void){ int a=-7; void*k=&a; assert(a%3==-1 && a/2==-3 && -7/-2==3); a=__VERIFIER_nondet_int();
  __VERIFIER_assume(a>-10&&a<10); assert(a/2*2+a%2==a); return 0; }
"#;
    a_choice_of_structs: Hold, r#"struct S{int a;} x={1},y={2}; int main(void){ int c=__VERIFIER_nondet_int(); struct S z = c? x:y;
  assert(z.a==(c?1:2)); return 0; }
"#;
    a_member_leads_to_its_struct: Hold, r#"#include <stddef.h>
struct L{struct L *next;}; struct N{int v; struct L l;} a={1},b={2}; int main(void){ a.l.next=&b.l;
  b.l.next=0; int s=0; for(struct L*p=&a.l;p;p=p->next){
  struct N *n=(struct N*)((char*)p-offsetof(struct N,l)); s+=n->v; } assert(s==3); return 0; }
"#;
    a_linked_list: Hold, r#"struct N{int v; struct N*next;}; struct N c={3,0},b={2,&c},a={1,&b}; int main(void){ int s=0;
  for(struct N*p=&a;p!=NULL;p=p->next) s+=p->v; assert(s==6); return 0; }
"#;
    one_mutex_passed_as_a_parameter: Hold, r#"pthread_mutex_t m1,m2; int x; void inc(pthread_mutex_t *m){ pthread_mutex_lock(m); x++;
  pthread_mutex_unlock(m);} void *f(void*a){ inc(&m1); return 0; }
int main(void){ pthread_t t; pthread_mutex_init(&m1,0); pthread_mutex_init(&m2,0);
  pthread_create(&t,0,f,0); inc(&m1); pthread_join(t,0); assert(x==2); return 0; }
"#;
    two_mutexes_passed_as_parameters: CanFail, r#"pthread_mutex_t m1,m2; int x; void inc(pthread_mutex_t *m){ pthread_mutex_lock(m); x++;
  pthread_mutex_unlock(m);} void *f(void*a){ inc(&m1); return 0; }
int main(void){ pthread_t t; pthread_mutex_init(&m1,0); pthread_mutex_init(&m2,0);
  pthread_create(&t,0,f,0); inc(&m2); pthread_join(t,0); assert(x==2); return 0; }
"#;
    atomic_objects: Hold, r#"#include <stdatomic.h>
atomic_int a; _Atomic unsigned char c=255; void *f(void*x){ a++; atomic_fetch_add(&a,2); return 0; }
  int main(void){ pthread_t t; pthread_create(&t,0,f,0); a+=10; pthread_join(t,0); assert(a==13); c++;
  assert(c==0); int e=13; assert(atomic_compare_exchange_strong(&a,&e,20));
  assert(!atomic_compare_exchange_strong(&a,&e,21)&&e==20); return 0; }
"#;
}

corners! {
    unions_of_unlike_members: CanFail, r#"union U {int i; char c[4];} u;
int main(void){ u.i = 1; assert(u.i == 2); return 0; }
"#;
    a_static_union_shows_its_initialiser_everywhere: Hold, r#"union U {short h[2]; int i; unsigned char c[4];} u = {{-1, 258}};
int main(void){ assert(u.i == 258 * 65536 + 65535); assert(u.c[2] == 2 && u.c[1] == 255); return 0; }
"#;
    a_copied_union_keeps_all_views: Hold, r#"union U {int i; char *p; short h;};
int main(void){ union U a, b; a.p = 0; a.i = -5; b = a; assert(b.i == -5 && b.h == -5); return 0; }
"#;
    a_struct_member_of_a_union_is_assigned: Hold, r#"struct S {short a, b;}; union U {struct S s; int i;};
int main(void){ union U u; struct S s = {1, 2}; u.i = 0; u.s = s; assert(u.i == 2 * 65536 + 1); return 0; }
"#;
    a_union_in_an_array_of_structs: Hold, r#"struct M {int tag; union {int i; void *p;} as;} q[20];
int main(void){ int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k >= 0 && k < 3); q[k].as.i = 7; q[k].as.p = &q; q[19].as.i = 2;
  q[k].as.i = 9; assert(q[k].as.i == 9); assert(q[19].as.i == 2); return 0; }
"#;
    floats_in_a_union_with_integers: Refused("floating point in a union with other members"), r#"union U {int i; float f;} u;
int main(void){ u.f = 1; assert(u.i == 2); return 0; }
"#;
    the_bytes_of_a_mutex_in_a_union: Refused("members of a union used as different views of the same bytes"), r#"union U {pthread_mutex_t m; char c[40];} u;
int main(void){ pthread_mutex_lock(&u.m); assert(u.c[0] == 0); return 0; }
"#;
    a_block_of_unknown_size: Refused("an allocation of a size that is not constant"), r#"int main(void){ int n = __VERIFIER_nondet_int(); while (__VERIFIER_nondet_int()) { int *p = malloc(n * sizeof(int)); assert(p[0] == 1); } return 0; }
"#;
    realloc_of_a_block_of_unknown_size: Refused("realloc of a block whose size is not known here"), r#"int main(void){ int *p = __VERIFIER_nondet_int() ? malloc(4) : malloc(8); p = realloc(p, 16); assert(p[0] == 1); return 0; }
"#;
    an_allocation_in_a_loop_of_gotos: Hold, r#"int main(void){ int *last = 0; int n = 0; again:; int *p = malloc(sizeof *p); assert(p != last); last = p; n++;
  if (n < 5) goto again; return 0; }
"#;
    an_allocation_before_a_label: CanFail, r#"int main(void){ int *p = malloc(sizeof *p); *p = 0; again: *p = *p + 1; if (*p < 3) goto again; assert(*p == 4); return 0; }
"#;
    a_block_of_another_type: Refused("access to part of an object through another type"), r#"int main(void){ char *p = malloc(8); *(int*)p = 1; assert(0); return 0; }
"#;
    a_step_before_a_use_of_a_freed_block_is_seen: CanFail, r#"int x; void *f(void*a){ assert(x == 0); return 0; }
int main(void){ pthread_t t; int *p = malloc(sizeof *p); free(p); pthread_create(&t,0,f,0); x = 1; *p = 2; return 0; }
"#;
    a_block_is_private_until_it_is_published: Hold, r#"int *g; void *f(void*a){ int *p = g; if (p) assert(*p == 3); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); int *p = malloc(sizeof *p); *p = 1; *p = *p + 2; g = p; return 0; }
"#;
    a_block_that_is_published_twice: CanFail, r#"int *g; void *f(void*a){ int *p = g; if (p) assert(*p == 3); return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); int *p = malloc(sizeof *p); *p = 3; g = p; g = 0; *p = 1; return 0; }
"#;
    a_block_given_to_a_thread_is_shared: CanFail, r#"void *f(void*a){ int *p = a; assert(*p == 3); return 0; }
int main(void){ pthread_t t; int *p = malloc(sizeof *p); *p = 3; pthread_create(&t,0,f,p); *p = 1; return 0; }
"#;
    more_bytes_than_the_object_has: Hold, r#"int main(void){ int i; *(long*)&i = 1; assert(0); return 0; }
"#;
    a_float_seen_as_an_integer: Refused("floating point seen as an integer"), r#"int main(void){ float f = 1.0f; int i = *(int*)&f; assert(i==2); return 0; }
"#;
    a_character_that_may_be_part_of_an_integer: Refused("access to part of an object through another type"), r#"struct S {char c; int i;} s;
int main(void){ s.i = 0; char *p = __VERIFIER_nondet_int() ? &s.c : (char*)&s.i; *p = 1;
  if (p != &s.c) assert(0); return 0; }
"#;
    a_character_anywhere_in_a_struct: CanFail, r#"struct S {char buf[4]; int i;} s;
int main(void){ char *p = (char*)&s; int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k>=0 && k<8);
  p[k] = 1; if (k==2) assert(0); return 0; }
"#;
    a_character_pointer_that_leaves_its_array: Refused("access to part of an object through another type"), r#"struct S {char buf[4]; int i;} s;
int main(void){ char *p = (char*)&s; for(int k=0;k<8;k++){ *p = 1; p++; } assert(0); return 0; }
"#;
    a_short_that_may_be_half_of_an_int: Refused("access to part of an object through another type"), r#"struct { short a, b; int c; } s;
int main(void){ short *p = (short*)&s; int sum = 0; for(int i=0;i<4;i++) sum += *p++; assert(sum==1); return 0; }
"#;
    keys_that_are_deleted_and_compared: Refused("comparison of keys, of which some are deleted and may be used again"), r#"
int main(void){ pthread_key_t a, b; pthread_key_create(&a,0); pthread_key_delete(a); pthread_key_create(&b,0); assert(a!=b); return 0; }
"#;
    kernel_ids_that_may_be_used_again: Refused("comparison of the kernel's ids of threads, which may be used again"), r#"
extern int gettid(void); int a, b;
void *f(void*x){ a = gettid(); return 0; } void *g(void*x){ b = gettid(); return 0; }
int main(void){ pthread_t t, u; pthread_create(&t,0,f,0); pthread_create(&u,0,g,0); pthread_join(t,0); pthread_join(u,0); assert(a!=b); return 0; }
"#;
    addresses_in_a_loop_as_numbers: Refused("addresses as numbers of blocks that are allocated without bound"), r#"
int main(void){ int *last = 0; while (__VERIFIER_nondet_int()) { int *p = malloc(4); assert(last < p); last = p; } return 0; }
"#;
    pthread_exit_inside_a_section: Refused("a thread that ends inside an atomic section"), r#"int x;
void *f(void*a){ __VERIFIER_atomic_begin(); x=1; pthread_exit(0); }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x==0); return 0; }
"#;
    a_return_inside_a_section_with_a_loop: Refused("a thread that ends inside an atomic section"), r#"int x;
void *f(void*a){ __VERIFIER_atomic_begin(); for(int i=0;i<2;i++) x++; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); assert(x==0); return 0; }
"#;
    a_recursive_mutex: CanFail, r#"pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int main(void){ pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0); return 0; }
"#;
    a_computed_goto: Refused("the address of a label"), r#"int main(void){ void *p = &&L; goto *p; L: assert(0); return 0; }
"#;
    integers_of_128_bits: Refused("__int128"), r#"int main(void){ __int128 x = 5; assert(x==5); return 0; }
"#;
    a_constructor: Refused("the constructor `init`"), r#"int x;
__attribute__((constructor)) void init(void){ x = 1; }
int main(void){ assert(x==0); return 0; }
"#;
    a_cleanup_attribute: Refused("the attribute cleanup"), r#"int x;
void cl(int *p){ x = 1; }
int main(void){ { __attribute__((cleanup(cl))) int y = 0; } assert(x==0); return 0; }
"#;
    an_alias: Refused("call of `g`, which is not defined and not modelled"), r#"int f(void){ return 1; }
int g(void) __attribute__((alias("f")));
int main(void){ assert(g()==0); return 0; }
"#;
    atomic_arithmetic_on_pointers: Refused("`atomic_fetch_add` on a pointer, where gcc adds bytes and clang elements"), r#"#include <stdatomic.h>
int arr[4]; _Atomic(int*) p=arr; int main(void){ int *o=atomic_fetch_add(&p,2); assert(o==arr);
  assert(p==&arr[2]); p++; assert(p==arr+3); return 0; }
"#;
    recursion_without_bound: Refused("recursion of `f`"), r#"int f(int n){ return n<=0?0:1+f(n-1); } int main(void){ assert(f(__VERIFIER_nondet_int())>=0); return 0; }
"#;
    creation_without_bound: Unbounded, r#"void *f(void*a){ return 0; }
int main(void){ pthread_t t; int n=__VERIFIER_nondet_int(); for(int i=0;i<n;i++) pthread_create(&t,0,f,0);
  assert(0); return 0; }
"#;
    a_goto_out_of_a_section: Refused("a thread that ends inside an atomic section"), r#"int x; void *f(void*a){ __VERIFIER_atomic_begin(); x=1; if(x) goto out; __VERIFIER_atomic_end(); out: x=2;
  return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); assert(x!=1); return 0; }
"#;
    arrays_of_variable_length: Hold, r#"int main(void){ int n=__VERIFIER_nondet_int(); __VERIFIER_assume(n>0&&n<3); int a[n]; a[0]=1;
  assert(a[0]==1); return 0; }
"#;
    arguments_that_are_only_printed: Hold, r#"#include <stdarg.h>
#include <stdio.h>
int n; void vlog(const char *f, va_list ap){ vfprintf(stderr,f,ap); n++; }
void log1(const char *f, ...){ va_list ap, aq; va_start(ap,f); va_copy(aq,ap); vlog(f,ap); va_end(aq); va_end(ap); }
int main(void){ log1("%d",3); assert(n==1); return 0; }
"#;
    alignment_within_a_struct: Hold, r#"struct s { _Alignas(64) char a; _Alignas(64) char b; int c[2]; };
int main(void){ assert(sizeof(struct s)==128); return 0; }
"#;
    variable_arguments: Refused("va_arg"), r#"#include <stdarg.h>
int f(int n, ...){ va_list ap; va_start(ap,n); int r = va_arg(ap,int); va_end(ap); return r; }
int main(void){ assert(f(1,2)==2); return 0; }
"#;
}

corners! {
    a_copy_is_not_what_its_variable_becomes: Hold, "int x, y; void *f(void *a) { y = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int l = 1; x = l++; assert(x == 1); return 0; }";
    a_copy_of_two_values_is_neither: CanFail, "int x, y; void *f(void *a) { y = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int l = 1, m = 2; x = y ? l : m; m = 3; assert(x == 2); return 0; }";
    a_copy_in_a_loop_is_that_of_the_last_round: Hold, "int x; void *f(void *a) { x = 7; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int l = 0;
for (int i = 0; i < 3; i++) { x = l; l = i; } assert(x == 1 || x == 7); return 0; }";
    a_copy_of_what_others_write_is_kept: CanFail, "int x, y; void *f(void *a) { *(int *)a = 5; return 0; }
int main(void) { pthread_t t; int l = 1; pthread_create(&t, 0, f, &l); x = l; y = 1; assert(x == l); return 0; }";
}

/// A local that is read for a store lives on in no second variable while the store waits for its turn.
#[test]
fn a_local_has_no_copy_across_steps() {
    let text = format!("{HEADER}int x, y; void *f(void *a) {{ x = 1; y = x; return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); int l = __VERIFIER_nondet_int(); x = 2; assert(y <= 2); y = l; return 0; }}");
    let loaded = lower_text(&scratch("corners_copy"), "copy", &text, &Options::default()).expect("a program");
    let printed = loaded.program.to_string();
    assert!(printed.contains("y := main::l"), "{printed}");
    assert!(!printed.contains("main::_l"), "{printed}");
}
