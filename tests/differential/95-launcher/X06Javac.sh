# skip-mode: zeal move
# timeout: 120
# The class files are those that HotSpot's javac makes, byte for byte.
mkdir -p mine theirs
"$JAVA_HOME/bin/javac" -nowarn -d mine "$SOURCES"/../40-collections/*.java "$SOURCES"/../50-indy/D0[1-4]*.java "$SOURCES"/../00-bytecodes/B[01]*.java 2>&1 | grep -v '^Note'
"$ORACLE_HOME/bin/javac" -nowarn -d theirs "$SOURCES"/../40-collections/*.java "$SOURCES"/../50-indy/D0[1-4]*.java "$SOURCES"/../00-bytecodes/B[01]*.java 2>&1 | grep -v '^Note'
diff -r mine theirs && echo "identical: $(ls mine | wc -l)"
echo 'class E { int f() { return "x"; } void g() { undefined(); } }' > E.java
"$JAVA_HOME/bin/javac" E.java; echo "exit $?"
"$JAVA_HOME/bin/javac" -version; echo "exit $?"
"$JAVA_HOME/bin/javap" -c -p -cp mine B10Branches | head -60
"$JAVA_HOME/bin/javap" -v -cp mine 'L04BigNumbers' | sed -n '4,40p'
