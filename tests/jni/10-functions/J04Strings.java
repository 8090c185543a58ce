// covers:
// JNI(NewString,NewStringUTF,GetStringChars,GetStringUTFChars,GetStringRegion,GetStringUTFRegion,GetStringCritical,GetStringLength,GetStringUTFLength)
public class J04Strings {
    static {
        System.loadLibrary("jnitest");
    }

    static native void dump(String s);

    static native String make(int k);

    static native boolean nullString();

    public static void main(String[] args) {
        for (String s :
                new String[] {
                    "",
                    "a",
                    "ascii text",
                    "caf\u00e9\u00ff",
                    "\u20ac\u0100",
                    "\ud83d\ude00!",
                    "\ud83d",
                    "\udc00x",
                    "nul\0inside",
                    "\u007f\u0080\u07ff\u0800\uffff"
                }) dump(s);
        for (int k = 0; k < 7; k++) {
            String s = make(k);
            StringBuilder b = new StringBuilder();
            for (char c : s.toCharArray()) b.append((int) c).append(' ');
            System.out.println(s.length() + " " + b);
        }
        System.out.println(nullString());
    }
}
