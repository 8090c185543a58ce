// covers:
// JNI(Get*Field,Set*Field,GetStatic*Field,SetStatic*Field,GetFieldID,GetStaticFieldID,GetMethodID)
public class J02Fields {
    static {
        System.loadLibrary("jnitest");
    }

    interface HasConstant {
        int FROM_INTERFACE = Integer.parseInt("31");
    }

    static class Base {
        int inherited = 17;
        int hidden = 1;
    }

    static class Holder extends Base implements HasConstant {
        boolean iBoolean = true;
        byte iByte = -2;
        char iChar = 'c';
        short iShort = -300;
        int iInt = 1 << 30;
        long iLong = 1L << 60;
        float iFloat = 2.5f;
        double iDouble = -1e10;
        Object iObject = "o";
        int hidden = 2;
        final int fin;

        Holder() {
            fin = 5;
        }
    }

    static boolean sBoolean;
    static byte sByte = 3;
    static char sChar = '\uffff';
    static short sShort = 4;
    static int sInt = -5;
    static long sLong = -6;
    static float sFloat = 7.5f;
    static double sDouble = 8.5;
    static String sObject;
    int iInt;

    static native void fields(Object o);

    public static void main(String[] args) {
        Holder h = new Holder();
        fields(h);
        System.out.println(
                h.iBoolean
                        + " "
                        + h.iByte
                        + " "
                        + (int) h.iChar
                        + " "
                        + h.iShort
                        + " "
                        + h.iInt
                        + " "
                        + h.iLong
                        + " "
                        + h.iFloat
                        + " "
                        + h.iDouble
                        + " "
                        + h.iObject
                        + " "
                        + h.fin);
        System.out.println(
                sBoolean + " " + sByte + " " + sChar + " " + sShort + " " + sInt + " " + sLong + " "
                        + sFloat + " " + sDouble + " " + sObject);
    }
}

class JniBadInit {
    static int x = fail();

    static int fail() {
        throw new IllegalStateException("bad init");
    }
}
