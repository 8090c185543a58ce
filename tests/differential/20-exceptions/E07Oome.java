// skip-mode: zeal move
// vm: own -Xmx32m
// covers: newarray(OutOfMemoryError) new(OutOfMemoryError) anewarray(OutOfMemoryError)
// covers: multianewarray(OutOfMemoryError)
public class E07Oome {
    Object next;
    long pad0, pad1, pad2, pad3;

    public static void main(String[] args) {
        try {
            System.out.println(new long[Integer.MAX_VALUE].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new byte[Integer.MAX_VALUE].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new byte[100_000_000].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new Object[20_000_000].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(new long[5000][5000].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        for (int round = 0; round < 3; round++) {
            E07Oome head = null;
            try {
                while (true) {
                    E07Oome n = new E07Oome();
                    n.next = head;
                    head = n;
                }
            } catch (OutOfMemoryError e) {
                head = null;
                System.out.println(e.getMessage());
            }
        }
        int sum = 0;
        for (int i = 0; i < 2000; i++) sum += new int[10000].length;
        System.out.println(sum);
        System.out.println("alive");
    }
}
