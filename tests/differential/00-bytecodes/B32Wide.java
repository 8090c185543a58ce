// covers: wide(iload,istore,lload,lstore,fload,fstore,dload,dstore,aload,astore,iinc)
public class B32Wide {
    public static void main(String[] args) {
        GenWide.run(5, 1L << 40, 2.5f, -1e100, "wide");
        GenWide.run(Integer.MAX_VALUE, Long.MIN_VALUE, Float.NaN, 0.0, null);
    }
}
