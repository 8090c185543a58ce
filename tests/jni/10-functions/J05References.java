// covers:
// JNI(NewLocalRef,DeleteLocalRef,NewGlobalRef,DeleteGlobalRef,NewWeakGlobalRef,DeleteWeakGlobalRef,PushLocalFrame,PopLocalFrame,EnsureLocalCapacity,GetObjectRefType,IsSameObject)
public class J05References {
    static {
        System.loadLibrary("jnitest");
    }

    static native void locals(Object o);

    static native void keep(Object global, Object weak);

    static native Object global();

    static native Object weak();

    static native boolean weakCleared();

    static native void drop();

    static void make() {
        keep(new int[] {7, 8}, new int[] {9});
    }

    static void deep(int n) {
        if (n > 0) deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        locals(new Object());
        Object strong = new Object();
        keep(strong, strong);
        System.gc();
        System.out.println((global() == strong) + " " + (weak() == strong) + " " + weakCleared());
        drop();
        make();
        deep(100);
        for (int i = 0; i < 50 && !weakCleared(); i++) {
            System.gc();
            Thread.sleep(2);
        }
        System.out.println(weakCleared() + " " + weak() + " " + ((int[]) global())[1]);
        drop();
    }
}
