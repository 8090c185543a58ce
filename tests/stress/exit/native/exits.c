/* Native threads that are attached, or were, when the VM ends. */
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
    JavaVM *vm;
    jclass self;
    int daemon, what, failed;
    sem_t attached;
};

static void *body(void *p)
{
    struct job *j = p;
    JNIEnv *env = NULL;
    if ((j->daemon ? (*j->vm)->AttachCurrentThreadAsDaemon(j->vm, (void **) &env, NULL)
                   : (*j->vm)->AttachCurrentThread(j->vm, (void **) &env, NULL)) != JNI_OK) {
        /* A VM that is ending refuses. */
        j->failed = 1;
        sem_post(&j->attached);
        return NULL;
    }
    sem_post(&j->attached);
    jmethodID churn = (*env)->GetStaticMethodID(env, j->self, "churn", "()V");
    if (churn == NULL)
        abort();
    switch (j->what) {
        case 1:
        case 3:
            (*env)->CallStaticVoidMethod(env, j->self, churn);
            break;
        case 2:
            (*j->vm)->DetachCurrentThread(j->vm);
            break;
        default:
            break;
    }
    for (;;)
        sleep(1000);
    return NULL;
}

JNIEXPORT void JNICALL Java_Exits_attached(JNIEnv *env, jclass self, jboolean daemon, jint what)
{
    struct job *j = malloc(sizeof *j);
    pthread_t t;
    if (j == NULL || sem_init(&j->attached, 0, 0) != 0 || (*env)->GetJavaVM(env, &j->vm) != JNI_OK)
        abort();
    j->self = (*env)->NewGlobalRef(env, self);
    j->daemon = daemon;
    j->what = what;
    j->failed = 0;
    if (pthread_create(&t, NULL, body, j) != 0)
        abort();
    pthread_detach(t);
    /* The fourth kind attaches while the VM ends. */
    if (what != 3)
        sem_wait(&j->attached);
    if (what != 3 && j->failed)
        (*env)->FatalError(env, "a native thread could not attach");
}
