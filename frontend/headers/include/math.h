#ifndef THREADER_MATH_H
#define THREADER_MATH_H
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL (1e308 * 10)
#define INFINITY (1e38F * 10)
#define NAN (0.0F / 0.0F)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
extern double acos(double);
extern float acosf(float);
extern long double acosl(long double);
extern double asin(double);
extern float asinf(float);
extern long double asinl(long double);
extern double atan(double);
extern float atanf(float);
extern long double atanl(long double);
extern double acosh(double);
extern float acoshf(float);
extern long double acoshl(long double);
extern double asinh(double);
extern float asinhf(float);
extern long double asinhl(long double);
extern double atanh(double);
extern float atanhf(float);
extern long double atanhl(long double);
extern double cos(double);
extern float cosf(float);
extern long double cosl(long double);
extern double sin(double);
extern float sinf(float);
extern long double sinl(long double);
extern double tan(double);
extern float tanf(float);
extern long double tanl(long double);
extern double cosh(double);
extern float coshf(float);
extern long double coshl(long double);
extern double sinh(double);
extern float sinhf(float);
extern long double sinhl(long double);
extern double tanh(double);
extern float tanhf(float);
extern long double tanhl(long double);
extern double exp(double);
extern float expf(float);
extern long double expl(long double);
extern double exp2(double);
extern float exp2f(float);
extern long double exp2l(long double);
extern double expm1(double);
extern float expm1f(float);
extern long double expm1l(long double);
extern double log(double);
extern float logf(float);
extern long double logl(long double);
extern double log10(double);
extern float log10f(float);
extern long double log10l(long double);
extern double log1p(double);
extern float log1pf(float);
extern long double log1pl(long double);
extern double log2(double);
extern float log2f(float);
extern long double log2l(long double);
extern double sqrt(double);
extern float sqrtf(float);
extern long double sqrtl(long double);
extern double cbrt(double);
extern float cbrtf(float);
extern long double cbrtl(long double);
extern double fabs(double);
extern float fabsf(float);
extern long double fabsl(long double);
extern double ceil(double);
extern float ceilf(float);
extern long double ceill(long double);
extern double floor(double);
extern float floorf(float);
extern long double floorl(long double);
extern double trunc(double);
extern float truncf(float);
extern long double truncl(long double);
extern double round(double);
extern float roundf(float);
extern long double roundl(long double);
extern double rint(double);
extern float rintf(float);
extern long double rintl(long double);
extern double nearbyint(double);
extern float nearbyintf(float);
extern long double nearbyintl(long double);
extern double atan2(double, double);
extern float atan2f(float, float);
extern long double atan2l(long double, long double);
extern double pow(double, double);
extern float powf(float, float);
extern long double powl(long double, long double);
extern double hypot(double, double);
extern float hypotf(float, float);
extern long double hypotl(long double, long double);
extern double fmod(double, double);
extern float fmodf(float, float);
extern long double fmodl(long double, long double);
extern double fmin(double, double);
extern float fminf(float, float);
extern long double fminl(long double, long double);
extern double fmax(double, double);
extern float fmaxf(float, float);
extern long double fmaxl(long double, long double);
extern double fdim(double, double);
extern float fdimf(float, float);
extern long double fdiml(long double, long double);
extern double copysign(double, double);
extern float copysignf(float, float);
extern long double copysignl(long double, long double);
extern double remainder(double, double);
extern float remainderf(float, float);
extern long double remainderl(long double, long double);
extern double fma(double, double, double);
extern double frexp(double, int *);
extern double ldexp(double, int);
extern double modf(double, double *);
extern long lround(double);
extern long lrint(double);
extern long long llround(double);
#endif
