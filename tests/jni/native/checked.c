/* Mistakes with JNI, one per call: what -Xcheck:jni says to them. */
#include <jni.h>
#include <string.h>
#include <stdio.h>
#include <pthread.h>
static void *in_thread(void *e) { JNIEnv *env = e; (*env)->GetVersion(env); (*env)->FindClass(env, "java/lang/Object"); return 0; }
JNIEXPORT void JNICALL Java_J13CheckJni_run(JNIEnv *e, jclass c, jstring what, jobject o, jintArray a) {
  const char *w = (*e)->GetStringUTFChars(e, what, 0);
  jclass oc = (*e)->FindClass(e, "J13CheckJni$Other");
  jclass so = (*e)->FindClass(e, "java/lang/String");
  if (!strcmp(w, "pending")) { (*e)->FindClass(e, "no/Such"); (*e)->GetObjectClass(e, o); }
  else if (!strcmp(w, "unchecked")) { jmethodID m = (*e)->GetMethodID(e, c, "m", "()V"); (*e)->CallVoidMethod(e, o, m); (*e)->GetObjectClass(e, o); }
  else if (!strcmp(w, "uncheckedstatic")) { jmethodID m = (*e)->GetStaticMethodID(e, c, "sm", "()V"); (*e)->CallStaticVoidMethod(e, c, m); (*e)->CallStaticVoidMethod(e, c, m); (*e)->NewStringUTF(e, "x"); }
  else if (!strcmp(w, "uncheckedstore")) { jobjectArray oa = (*e)->NewObjectArray(e, 2, so, 0); (*e)->SetObjectArrayElement(e, oa, 0, 0); (*e)->GetArrayLength(e, oa); }
  else if (!strcmp(w, "locals")) { for (int i = 0; i < 70; i++) (*e)->NewLocalRef(e, o); }
  else if (!strcmp(w, "localsok")) { (*e)->EnsureLocalCapacity(e, 100); for (int i = 0; i < 70; i++) (*e)->NewLocalRef(e, o); }
  else if (!strcmp(w, "badref")) { (*e)->GetObjectClass(e, (jobject)0x12345678); }
  else if (!strcmp(w, "deletedref")) { jobject g = (*e)->NewGlobalRef(e, o); (*e)->DeleteGlobalRef(e, g); (*e)->GetObjectClass(e, g); }
  else if (!strcmp(w, "deletelocal")) { jobject g = (*e)->NewGlobalRef(e, o); (*e)->DeleteLocalRef(e, g); }
  else if (!strcmp(w, "deleteglobal")) { (*e)->DeleteGlobalRef(e, (*e)->NewLocalRef(e, o)); }
  else if (!strcmp(w, "deleteweak")) { (*e)->DeleteWeakGlobalRef(e, (*e)->NewGlobalRef(e, o)); }
  else if (!strcmp(w, "fieldtype")) { jfieldID f = (*e)->GetFieldID(e, c, "n", "I"); (*e)->GetLongField(e, o, f); }
  else if (!strcmp(w, "fieldnull")) { jfieldID f = (*e)->GetFieldID(e, oc, "k", "I"); (*e)->GetIntField(e, 0, f); }
  else if (!strcmp(w, "fieldstatic")) { jfieldID f = (*e)->GetStaticFieldID(e, c, "s", "J"); (*e)->GetLongField(e, o, f); }
  else if (!strcmp(w, "staticfieldtype")) { jfieldID f = (*e)->GetStaticFieldID(e, c, "s", "J"); (*e)->GetStaticIntField(e, c, f); }
  else if (!strcmp(w, "staticfieldinst")) { jfieldID f = (*e)->GetFieldID(e, c, "n", "I"); (*e)->GetStaticIntField(e, c, f); }
  else if (!strcmp(w, "staticfieldclass")) { jfieldID f = (*e)->GetStaticFieldID(e, c, "s", "J"); (*e)->GetStaticLongField(e, so, f); }
  else if (!strcmp(w, "nostring")) { (*e)->GetStringLength(e, o); }
  else if (!strcmp(w, "nullstring")) { (*e)->GetStringLength(e, 0); }
  else if (!strcmp(w, "noarray")) { (*e)->GetArrayLength(e, o); }
  else if (!strcmp(w, "nullarray")) { (*e)->GetArrayLength(e, 0); }
  else if (!strcmp(w, "arraytype")) { (*e)->GetLongArrayElements(e, a, 0); }
  else if (!strcmp(w, "arrayregion")) { jlong x[4]; (*e)->GetLongArrayRegion(e, a, 0, 1, x); }
  else if (!strcmp(w, "objarray")) { (*e)->GetObjectArrayElement(e, a, 0); }
  else if (!strcmp(w, "intofobj")) { jobjectArray oa = (*e)->NewObjectArray(e, 2, so, 0); (*e)->GetIntArrayElements(e, oa, 0); }
  else if (!strcmp(w, "crit")) { void *p = (*e)->GetPrimitiveArrayCritical(e, a, 0); (*e)->GetVersion(e); (*e)->GetObjectClass(e, o); (*e)->ReleasePrimitiveArrayCritical(e, a, p, 0); }
  else if (!strcmp(w, "methodclass")) { jmethodID m = (*e)->GetMethodID(e, oc, "om", "()V"); (*e)->CallVoidMethod(e, o, m); }
  else if (!strcmp(w, "methodnull")) { (*e)->CallVoidMethod(e, o, 0); }
  else if (!strcmp(w, "objnull")) { jmethodID m = (*e)->GetMethodID(e, c, "m", "()V"); (*e)->CallVoidMethod(e, 0, m); }
  else if (!strcmp(w, "noclass")) { (*e)->GetSuperclass(e, o); }
  else if (!strcmp(w, "nullclass")) { (*e)->GetSuperclass(e, 0); }
  else if (!strcmp(w, "throwclass")) { (*e)->ThrowNew(e, so, "x"); }
  else if (!strcmp(w, "throwobj")) { (*e)->Throw(e, (jthrowable)o); }
  else if (!strcmp(w, "thread")) { pthread_t t; pthread_create(&t, 0, in_thread, e); pthread_join(t, 0); }
  else if (!strcmp(w, "primclass")) { jclass cc = (*e)->FindClass(e, "java/lang/Integer"); jfieldID f = (*e)->GetStaticFieldID(e, cc, "TYPE", "Ljava/lang/Class;"); jclass p = (*e)->GetStaticObjectField(e, cc, f); (*e)->AllocObject(e, p); }
  else if (!strcmp(w, "primclass2")) { jclass cc = (*e)->FindClass(e, "java/lang/Integer"); jfieldID f = (*e)->GetStaticFieldID(e, cc, "TYPE", "Ljava/lang/Class;"); jclass p = (*e)->GetStaticObjectField(e, cc, f); (*e)->GetMethodID(e, p, "x", "()V"); }
  else if (!strcmp(w, "monitor")) { (*e)->MonitorEnter(e, (jobject)0x77777770); }
  else if (!strcmp(w, "monitornull")) { (*e)->MonitorEnter(e, 0); }
  else if (!strcmp(w, "badname")) { (*e)->FindClass(e, "Ljava/lang/String;"); }
  else if (!strcmp(w, "samenull")) { (*e)->IsSameObject(e, (jobject)0x33333330, o); }
  else if (!strcmp(w, "instanceof")) { (*e)->IsInstanceOf(e, o, (jclass)o); }
  else if (!strcmp(w, "newobj")) { (*e)->NewObject(e, c, (*e)->GetMethodID(e, c, "m", "()V")); }
  else if (!strcmp(w, "neg")) { (*e)->PushLocalFrame(e, -3); }
  else if (!strcmp(w, "neg2")) { (*e)->EnsureLocalCapacity(e, -3); }
  else if (!strcmp(w, "allowed")) {
    jobject l = (*e)->NewLocalRef(e, o), g = (*e)->NewGlobalRef(e, o), k = (*e)->NewWeakGlobalRef(e, o);
    jint *p = (*e)->GetIntArrayElements(e, a, 0);
    (*e)->MonitorEnter(e, o);
    (*e)->FindClass(e, "no/Such");
    (*e)->IsSameObject(e, o, o);
    (*e)->ReleaseIntArrayElements(e, a, p, 0);
    (*e)->DeleteLocalRef(e, l);
    (*e)->DeleteGlobalRef(e, g);
    (*e)->DeleteWeakGlobalRef(e, k);
    (*e)->MonitorExit(e, o);
    (*e)->PushLocalFrame(e, 3);
    (*e)->PopLocalFrame(e, 0);
    (*e)->ReleaseStringUTFChars(e, what, w);
    (*e)->ExceptionCheck(e);
    (*e)->ExceptionOccurred(e);
    (*e)->ExceptionClear(e);
  }
  else if (!strcmp(w, "forbidden")) {
    (*e)->FindClass(e, "no/Such");
    (*e)->GetVersion(e);
    (*e)->NewGlobalRef(e, o);
    (*e)->GetObjectRefType(e, o);
    (*e)->EnsureLocalCapacity(e, 4);
    (*e)->MonitorEnter(e, o);
    (*e)->MonitorExit(e, o);
    (*e)->ExceptionClear(e);
  }
  else if (!strcmp(w, "variadic")) {
    jmethodID m = (*e)->GetStaticMethodID(e, c, "sum", "(IDJFLjava/lang/Object;IJDI)Ljava/lang/String;");
    jstring s = (*e)->CallStaticObjectMethod(e, c, m, 1, 2.5, (jlong)3, 4.5f, o, 5, (jlong)6, 7.5, 8);
    if ((*e)->ExceptionCheck(e)) return;
    const char *t = (*e)->GetStringUTFChars(e, s, 0);
    printf("%s\n", t);
    fflush(stdout);
    (*e)->ReleaseStringUTFChars(e, s, t);
  }
  else if (!strcmp(w, "newobject")) {
    jclass ex = (*e)->FindClass(e, "java/lang/Object");
    (*e)->NewObject(e, ex, (*e)->GetMethodID(e, ex, "<init>", "()V"));
    (*e)->GetVersion(e);
  }
  else if (!strcmp(w, "asked")) {
    jmethodID m = (*e)->GetMethodID(e, c, "m", "()V");
    (*e)->CallVoidMethod(e, o, m);
    (*e)->ExceptionClear(e);
    (*e)->CallVoidMethod(e, o, m);
  }
  else if (!strcmp(w, "frame")) {
    for (int i = 0; i < 20; i++) (*e)->NewLocalRef(e, o);
    (*e)->PushLocalFrame(e, 10);
    for (int i = 0; i < 60; i++) (*e)->NewLocalRef(e, o);
    (*e)->PopLocalFrame(e, 0);
    for (int i = 0; i < 20; i++) (*e)->NewLocalRef(e, o);
    (*e)->GetVersion(e);
  }
  else if (!strcmp(w, "direct")) { (*e)->NewDirectByteBuffer(e, (void*)w, -1); }
  else if (!strcmp(w, "direct2")) { (*e)->NewDirectByteBuffer(e, (void*)w, 0x80000000LL); }
  else if (!strcmp(w, "ok")) { jint *p = (*e)->GetIntArrayElements(e, a, 0); p[3] = 1; (*e)->ReleaseIntArrayElements(e, a, p, 0); if ((*e)->ExceptionCheck(e)) return; (*e)->ReleaseStringUTFChars(e, what, w); }
}
