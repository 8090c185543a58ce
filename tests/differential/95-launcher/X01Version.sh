# covers: JNI_GetDefaultJavaVMInitArgs JNI_CreateJavaVM
# The first line names the class library, which both sides share; the VM's own line is its own.
java="$JAVA_HOME/bin/java"
"$java" -version 2>&1 | head -1
"$java" -version >/dev/null 2>&1; echo "exit $?"
"$java" -version 2>&1 | wc -l
"$java" --version | head -1
"$java" -fullversion 2>&1
"$java" -showversion -cp "$CLASSES" B01Hello 2>/dev/null
"$java" -Xinternalversion >/dev/null 2>&1; echo "exit $?"
"$java" -help >/dev/null 2>&1; echo "exit $?"
"$java" --list-modules | head -3
"$java" --describe-module java.logging
