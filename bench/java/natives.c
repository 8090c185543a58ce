/* Functions that do next to nothing: what is measured is the way to them and back. */
#include <jni.h>

JNIEXPORT void JNICALL Java_Natives_nothing(JNIEnv *e, jclass c) { (void)e, (void)c; }
JNIEXPORT jint JNICALL Java_Natives_number(JNIEnv *e, jclass c, jint n) { (void)e, (void)c; return n + 1; }
JNIEXPORT jlong JNICALL Java_Natives_three(JNIEnv *e, jclass c, jlong x, jlong y, jlong z) { (void)e, (void)c; return x + y * z; }
JNIEXPORT jdouble JNICALL Java_Natives_real(JNIEnv *e, jclass c, jdouble x, jdouble y) { (void)e, (void)c; return x + y; }
JNIEXPORT jint JNICALL Java_Natives_own(JNIEnv *e, jobject o, jint n) { (void)e, (void)o; return n + 2; }
JNIEXPORT jobject JNICALL Java_Natives_same(JNIEnv *e, jclass c, jobject o) { (void)e, (void)c; return o; }
JNIEXPORT jlong JNICALL Java_Natives_many(JNIEnv *e, jclass c, jint a, jlong b, jdouble d, jint f, jlong g, jint h, jlong i, jfloat j,
                                          jint k, jlong l) {
    (void)e, (void)c;
    return a + b + (jlong)d + f + g + h + i + (jlong)j + k + l;
}
