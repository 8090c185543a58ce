# skip-mode: zeal move
# timeout: 120
mkdir s; echo 'package s; /** Doc. */ public class S implements java.io.Serializable { public int a; }' > s/S.java
"$JAVA_HOME/bin/javac" s/S.java
"$JAVA_HOME/bin/serialver" -classpath . s.S
"$JAVA_HOME/bin/javap" -p s.S
"$JAVA_HOME/bin/jdeps" -cp . s/S.class | sed 's/ *->/ ->/'
"$JAVA_HOME/bin/jar" --create --file t.jar s && "$JAVA_HOME/bin/jar" --list --file t.jar
"$JAVA_HOME/bin/javap" -cp t.jar s.S | head -2
"$JAVA_HOME/bin/keytool" -genkeypair -keystore k.p12 -storepass secret1 -keyalg EC -dname CN=x -alias a 2>/dev/null; "$JAVA_HOME/bin/keytool" -list -keystore k.p12 -storepass secret1 2>/dev/null | grep -c PrivateKeyEntry
"$JAVA_HOME/bin/jlink" --version
