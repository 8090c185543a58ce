// covers: ldc_w(int,float,string,class)
public class B38Constants {
    public static void main(String[] args) {
        GenConstants.run();
        GenArguments.run();
        GenNames.run();
        GenArrays.run();
    }
}
