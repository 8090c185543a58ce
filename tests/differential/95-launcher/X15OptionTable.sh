# skip-mode: zeal move int plain jmm
# timeout: 240
# Options by the table: exit code and first lines of both streams. Rows that print what only one of the VMs has are left out.
cat > H.java <<'J'
public class H { public static void main(String[] a) { System.out.println("H"); } }
J
"$JAVAC" H.java
printf -- '-Da=b -Xmx32m\n' > optfile
printf -- '-Da="b' > badfile
printf -- '# comment\n+DisableExplicitGC\nMaxJavaStackTraceDepth=7 +PrintVMOptions\n' > goodflags
printf -- '-XX:+DisableExplicitGC\n' > badflags
printf -- '-Xmx32m\n-Dx="a b" # comment\nH\n' > argfile
clean() { head -5 "$1" | grep -v 'warning: Option .* has no effect' | sed -E -e 's/(OpenJDK|Concord) 64-Bit Server VM/VM/' -e 's/\[[0-9]+\.[0-9]+s\]/[T]/'; }
while IFS= read -r row; do
  echo "## $row"
  "$JAVA_HOME/bin/java" $row -cp . H > o 2> e
  echo "exit $?"
  clean o; clean e
done <<'ROWS'
-XX:+NoSuchFlag
-XX:NoSuchFlag=3
-XX:MaxHeapSiz=3m
-XX:+UseSerialGC=1
-XX:UseSerialGC
-XX:UseSerialGC=true
-XX:+MaxHeapSize
-XX:-MaxHeapSize=3
-XX:MaxHeapSize
-XX:MaxHeapSize=
-XX:MaxHeapSize=abc
-XX:MaxHeapSize=-1
-Xmx
-Xmxabc
-Xmx0
-Xmx1k
-Xmx1m
-Xmx3m
-Xms64m -Xmx32m
-Xms1k
-Xmn
-Xmn0
-Xmn64m -Xmx32m
-Xss
-Xss1
-Xss100k
-Xss2g
-Xss1025m
-Xssabc
-Xfoo
-foo
--foo
--add-modules=nosuch
--add-modules=
--add-modules
--module-path=/nowhere
--limit-modules=java.base
--limit-modules=nosuch
--add-exports=java.base/nosuch=ALL-UNNAMED
--add-exports=nosuch/x=ALL-UNNAMED
--add-exports=java.base
--add-opens=java.base/java.lang
--add-reads=java.base
--add-reads=nosuch=java.base
--patch-module=java.base
--patch-module=nosuch=/x
--illegal-access=permit
--illegal-access=foo
--enable-preview
--enable-native-access=nosuch
-verbose:foo
-ea -esa
-ea:foo
-da:foo...
-esa:foo
-Xcheck:foo
-Xverify:none
-Xverify:remote
-Xverify:all
-Xverify:foo
-noverify
-Xbatch
-Xprof
-Xrs
-Xshare:off
-Xshare:auto
-Xshare:foo
-Xbootclasspath:/x
-Xbootclasspath/p:/x
-Xbootclasspath/a:/x
-Xbootclasspath/a
-Xlog:foo
-Xlog:gc=foo
-Xlog:gc:bar
-Xlog:gc:file=/nowhere/x
-Xlog:gc:stdout:foo
-Xlog:disable
-Xlog:gc+foo
-Xlogfoo
-javaagent
-Djava.ext.dirs=/x
-Djava.endorsed.dirs=/x
-Djdk.module.addmods.0=x
-Djava.home=/x
-D
-D=x
-Dfoo
-XX:Flags=/nowhere/f
-XX:VMOptionsFile=/nowhere/f
-XX:VMOptionsFile=optfile
-XX:VMOptionsFile=optfile -XX:VMOptionsFile=optfile
-XX:VMOptionsFile=badfile
-XX:+UseG1GC -XX:+UseSerialGC
-XX:+UseParallelGC -XX:+UseSerialGC
-XX:+UseZGC
-XX:+UseShenandoahGC
-XX:+UseEpsilonGC
-XX:+UseConcMarkSweepGC
-XX:MaxPermSize=64m
-XX:PermSize=64m
-XX:+AggressiveOpts
-XX:+UseParNewGC
-XX:+TraceClassLoading
-XX:+PrintGCTimeStamps
-XX:+UseGCLogFileRotation
-XX:+UseBiasedLocking
-XX:BiasedLockingStartupDelay=0
-XX:+FailOverToOldVerifier
-XX:MaxGCPauseMillis=foo
-XX:MaxGCPauseMillis=0
-XX:ParallelGCThreads=-1
-XX:SurvivorRatio=0
-XX:NewRatio=0
-XX:MaxRAMPercentage=200
-XX:MaxRAMPercentage=abc
-XX:MinRAMPercentage=101
-XX:InitialRAMPercentage=-1
-XX:SoftRefLRUPolicyMSPerMB=-1
-XX:ThreadStackSize=-1
-XX:ThreadStackSize=2000000
-XX:MaxJavaStackTraceDepth=-1
-XX:MaxMetaspaceSize=1m
-XX:MaxMetaspaceSize=64m
-XX:MetaspaceSize=128m
-XX:CompressedClassSpaceSize=1g
-XX:MaxDirectMemorySize=16m
-XX:MaxDirectMemorySize=-1
-XX:ObjectAlignmentInBytes=16
-XX:ObjectAlignmentInBytes=7
-XX:-UseCompressedOops
-XX:-UseCompressedClassPointers
-XX:TieredStopAtLevel=1
-XX:TieredStopAtLevel=9
-XX:-TieredCompilation
-XX:CompileThreshold=100
-XX:ReservedCodeCacheSize=64m
-XX:+UseNUMA
-XX:+AlwaysPreTouch
-XX:+UseStringDeduplication
-XX:+DisableExplicitGC
-XX:+ExplicitGCInvokesConcurrent
-XX:StackShadowPages=1
-XX:+PrintAssembly
-XX:+WhiteBoxAPI
-XX:+UnlockCommercialFeatures
-XX:+IgnoreUnrecognizedVMOptions -XX:+Foo
-XX:+IgnoreUnrecognizedVMOptions -Xfoo
-XX:+PrintVMOptions -XX:+DisableExplicitGC
-XX:NativeMemoryTracking=summary
-XX:SharedArchiveFile=/nowhere
-XX:+UseDynamicNumberOfGCThreads
-XX:G1HeapRegionSize=3m
-XX:G1HeapRegionSize=1m
-XX:MinHeapFreeRatio=101
-XX:AllocatePrefetchStyle=7
-XX:+UseLinuxPosixThreadCPUClocks
-XX:
-X
-XX
-XX:+
-XX:=3
-XX:+HeapDumpOnOutOfMemoryError=3
-server
-client
-d64
-d32
-jre-restrict-search
-esa:x
-dsa
-Xfuture
-Xnoclassgc
-Xincgc
-Xdebug
-Xnoagent
-Xdiag
-Xmaxjitcodesize32m
-Xcodecache
-Xjcov
-Xusealtsigs
-Xconcurrentio
-Xeprof
-Xsqnopause
-Xt
-Xoss1m
-Xms-1
-Xmx-1
-Xmx9999999999999999999g
-XX:Flags=badflags
-XX:MinHeapFreeRatio=101
-XX:MaxGCPauseMillis=foo
-XX:DefaultMaxRAMFraction=8
-XX:-CreateMinidumpOnCrash
-XX:ObjectAlignmentInBytes=24
-XX:ContendedPaddingWidth=12
-XX:MinHeapFreeRatio=80
-Xminf0.22
-Xminf1.5
-Xmaxfabc
-Xmaxf0.1
-Djava.ext.dirs=""
-Djava.endorsed.dirs=""
-XX:+IgnoreUnrecognizedVMOptions -XX:+PrintInlining
-XX:+IgnoreUnrecognizedVMOptions -XX:+AlwaysSafeConstructors
-XX:+IgnoreUnrecognizedVMOptions -XX:PrintInlining=3
-XX:+UnlockDiagnosticVMOptions -XX:+PrintNMTStatistics
-XX:-PrintWarnings -Djdk.module.addmods
-XX:+ReadVMOptionsFile
ROWS
touch .hotspotrc
for o in -Da=b -XX:Flags=goodflags -XX:-PrintWarnings; do "$JAVA_HOME/bin/java" $o -cp . H 2>&1 | grep -c hotspotrc; done
rm .hotspotrc
"$JAVA_HOME/bin/java" -XX:+PrintFlagsInitial | grep -c "CreateCoredumpOnCrash .* true"; echo "exit ${PIPESTATUS[0]}"
"$JAVA_HOME/bin/java" -Xmaxf0.5 -XX:+PrintFlagsFinal -cp . H | grep "MaxHeapFreeRatio" | tr -s ' '
"$JAVA_HOME/bin/java" -XX:Flags=goodflags -cp . H | grep -c "^VM option .MaxJavaStackTraceDepth=7.$"
"$JAVA_HOME/bin/java" -cp . @argfile
"$JAVA_HOME/bin/java" -cp . @nosuchfile
echo "exit $?"
"$JAVA_HOME/bin/java" --disable-@files -cp . @argfile 2>&1 | head -2
JAVA_TOOL_OPTIONS="-Dp='q r'" "$JAVA_HOME/bin/java" -cp . H 2>&1
JAVA_TOOL_OPTIONS="-Dp='q" "$JAVA_HOME/bin/java" -cp . H 2>&1 | head -3
_JAVA_OPTIONS="-Xfoo" "$JAVA_HOME/bin/java" -cp . H 2>&1 | head -3
JDK_JAVA_OPTIONS="-Dx=y @argfile" "$JAVA_HOME/bin/java" -cp . H 2>&1 | head -3
cat > P.java <<'J'
public class P { public static void main(String[] a) { for (String p : new String[] {"a", "d", "f"}) System.out.print(System.getProperty(p) + "|"); System.out.println(); } }
J
"$JAVAC" P.java
printf -- "-Da=\"b c\" -Dd='e'x\t\"-Df=g 'h'\"\n" > quoted
"$JAVA_HOME/bin/java" -XX:VMOptionsFile=quoted -cp . P
JAVA_TOOL_OPTIONS="-Da='q r' -Dd=s\"t u\" -Df=" "$JAVA_HOME/bin/java" -cp . P 2>&1
_JAVA_OPTIONS="-Da=last" "$JAVA_HOME/bin/java" -Da=first -cp . P 2>&1
