// covers: getfield(ok,npe,byte,short,char,boolean,int,long,float,double,ref)
// covers: putfield(ok,npe,byte,short,char,boolean,int,long,float,double,ref)
// covers: getstatic(byte,short,char,boolean,int,long,float,double,ref)
// covers: putstatic(ok,byte,short,char,boolean,int,long,float,double,ref)
public class B15Fields {
    byte b = -7;
    short s = -300;
    char c = 'x';
    boolean z = true;
    int i = 123456;
    long l = 1L << 50;
    float f = 2.5f;
    double d = 1e200;
    Object o = "obj";
    static byte sb = 7;
    static short ss = 300;
    static char sc = 'y';
    static boolean sz;
    static int si = -123456;
    static long sl = -(1L << 50);
    static float sf = -2.5f;
    static double sd = -1e200;
    static Object so = "stat";

    static class Mixed {
        byte a;
        long b;
        byte c;
        int d;
        byte e;
        short f;
        Object g;
        byte h;
        double i;
        boolean j;
        char k;
        byte m;
    }

    static class Sub extends Mixed {
        byte a2;
        int b2;
        long c2;
        byte d2;
    }

    void print() {
        System.out.println(b);
        System.out.println(s);
        System.out.println(c);
        System.out.println(z);
        System.out.println(i);
        System.out.println(l);
        System.out.println(f);
        System.out.println(d);
        System.out.println(o);
    }

    static void printStatic() {
        System.out.println(sb);
        System.out.println(ss);
        System.out.println(sc);
        System.out.println(sz);
        System.out.println(si);
        System.out.println(sl);
        System.out.println(sf);
        System.out.println(sd);
        System.out.println(so);
    }

    static int failures(B15Fields p) {
        int n = 0;
        try {
            System.out.println(p.b);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.s);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.c);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.z);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.i);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.l);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.f);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.d);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            System.out.println(p.o);
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.b = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.s = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.c = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.z = true;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.i = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.l = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.f = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.d = 1;
        } catch (NullPointerException e) {
            n++;
        }
        try {
            p.o = p;
        } catch (NullPointerException e) {
            n++;
        }
        return n;
    }

    public static void main(String[] args) {
        B15Fields p = new B15Fields();
        p.print();
        printStatic();
        p.b = (byte) 0xff;
        p.s = (short) 0xffff;
        p.c = '\uffff';
        p.z = false;
        p.i = -1;
        p.l = -1;
        p.f = Float.NaN;
        p.d = Double.NaN;
        p.o = null;
        p.print();
        sb = (byte) 0x80;
        ss = (short) 0x8000;
        sc = '\u8000';
        sz = true;
        si = 0x80000000;
        sl = 0x8000000000000000L;
        sf = -0f;
        sd = -0.0;
        so = p.getClass().getName();
        printStatic();
        p.i += 5;
        p.l -= 5;
        p.b++;
        p.c--;
        sb--;
        sl *= 3;
        sd += 0.5;
        p.print();
        printStatic();
        Sub m = new Sub();
        m.a = -1;
        m.b = -1;
        m.c = -1;
        m.d = -1;
        m.e = -1;
        m.f = -1;
        m.h = -1;
        m.i = -1;
        m.j = true;
        m.k = 0xffff;
        m.m = -1;
        System.out.println(m.a2);
        System.out.println(m.b2);
        System.out.println(m.c2);
        System.out.println(m.d2);
        System.out.println(m.g == null);
        m.a2 = 1;
        m.b2 = 2;
        m.c2 = 3;
        m.d2 = 4;
        m.g = m;
        System.out.println(m.a + m.b + m.c + m.d + m.e + m.f + m.h + (long) m.i + m.k + m.m);
        System.out.println(m.a2 + m.b2 * 10 + m.c2 * 100 + m.d2 * 1000);
        System.out.println(failures(null));
    }
}
