/* A thread that native code makes: attaches, calls Java, detaches, several times. */
#include <jni.h>
#include <pthread.h>

struct job {
    JavaVM *vm;
    jclass self;
    jmethodID called;
    jobject o;
    int daemon, rounds, thrown;
};

static void *body(void *p)
{
    struct job *j = p;
    for (int i = 0; i < j->rounds; i++) {
        JNIEnv *env = NULL;
        jint got = j->daemon ? (*j->vm)->AttachCurrentThreadAsDaemon(j->vm, (void **) &env, NULL)
                             : (*j->vm)->AttachCurrentThread(j->vm, (void **) &env, NULL);
        if (got != JNI_OK) {
            j->thrown = -100;
            return NULL;
        }
        (*env)->CallStaticVoidMethod(env, j->self, j->called, j->o, (jint) i);
        if ((*env)->ExceptionCheck(env)) {
            j->thrown++;
            (*env)->ExceptionClear(env);
        }
        if ((*j->vm)->DetachCurrentThread(j->vm) != JNI_OK) {
            j->thrown = -200;
            return NULL;
        }
    }
    return NULL;
}

JNIEXPORT jint JNICALL Java_Soak_attach(JNIEnv *env, jclass self, jobject o, jboolean daemon, jint rounds)
{
    struct job j = {NULL, (*env)->NewGlobalRef(env, self), NULL, (*env)->NewGlobalRef(env, o), daemon, rounds, 0};
    pthread_t t;
    j.called = (*env)->GetStaticMethodID(env, self, "called", "(Ljava/lang/Object;I)V");
    if (j.called == NULL || (*env)->GetJavaVM(env, &j.vm) != JNI_OK)
        return -300;
    if (pthread_create(&t, NULL, body, &j) != 0)
        j.thrown = -400;
    else
        pthread_join(t, NULL);
    (*env)->DeleteGlobalRef(env, j.self);
    (*env)->DeleteGlobalRef(env, j.o);
    return j.thrown;
}
