// vm: own
// stdin: first line\n42 3.5\nlast without end
import java.util.*;

public class I06Stdin {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3000 && System.in.available() == 0; i++) Thread.sleep(10);
        System.out.println(System.in.available() > 0);
        Scanner s = new Scanner(System.in);
        System.out.println(s.nextLine());
        System.out.println(s.nextInt() + s.next());
        s.nextLine();
        System.out.println(s.nextLine());
        System.out.println(s.hasNextLine() + " " + System.in.read());
    }
}
