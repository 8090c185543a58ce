/* What the process holds of the C heap. */
#include "common.h"
#include <malloc.h>

JNIEXPORT jlong JNICALL Java_J18HiddenClassMemory_inUse(JNIEnv *env, jclass self)
{
    (void) env, (void) self;
    struct mallinfo2 all = mallinfo2();
    return (jlong) (all.uordblks + all.hblkhd);
}
