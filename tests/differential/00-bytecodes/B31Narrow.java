// covers: putstatic(narrowing) putfield(narrowing) bastore(boolean-masked) castore(narrowing)
// covers: sastore(narrowing) ireturn(narrowing)
public class B31Narrow {
    public static void main(String[] args) {
        int[] values = {
            0,
            1,
            2,
            3,
            0x7f,
            0x80,
            0xff,
            0x100,
            0x1ff,
            0x8000,
            0xffff,
            0x10001,
            -1,
            Integer.MIN_VALUE
        };
        for (int v : values) {
            GenNarrow.putStaticZ(v);
            System.out.println(GenNarrow.getStaticZ());
            GenNarrow.putStaticB(v);
            System.out.println(GenNarrow.getStaticB());
            GenNarrow.putStaticC(v);
            System.out.println(GenNarrow.getStaticC());
            GenNarrow.putStaticS(v);
            System.out.println(GenNarrow.getStaticS());
            System.out.println(GenNarrow.fieldZ(v));
            System.out.println(GenNarrow.fieldB(v));
            System.out.println(GenNarrow.fieldC(v));
            System.out.println(GenNarrow.fieldS(v));
            System.out.println(GenNarrow.returnedZ(v));
            System.out.println(GenNarrow.returnedB(v));
            System.out.println(GenNarrow.returnedC(v));
            System.out.println(GenNarrow.returnedS(v));
            System.out.println(GenNarrow.arrayZ(v));
            System.out.println(GenNarrow.arrayB(v));
            System.out.println(GenNarrow.arrayC(v));
            System.out.println(GenNarrow.arrayS(v));
        }
    }
}
