// covers: return(ok)
public class B00Empty {
    public static void main(String[] args) {}
}
