//! Names of the -XX flags that OpenJDK 17's own VM knows (generated from its flag listing).
//!
//! Invariant: a flag that stands here and not in Concord's table is accepted with one warning line.
//! Each name is followed by its type (b boolean, i signed, u unsigned, f double, s text) and its
//! kind (p product, d diagnostic, x experimental), and of those that its product build lists, by the value that they
//! have without options.

/// `Name:tk=value` separated by white space, ascending.
pub(super) const NAMES: &str = "\
AVX3Threshold:id=4096 AbortVMOnCompilationFailure:bd=false AbortVMOnException:sd= AbortVMOnExceptionMessage:sd= \
AbortVMOnSafepointTimeout:bd=false AbortVMOnVMOperationTimeout:bd=false AbortVMOnVMOperationTimeoutDelay:id=1000 \
ActiveProcessorCount:ip=-1 AdaptiveSizeDecrementScaleFactor:up=4 AdaptiveSizeMajorGCDecayTimeScale:up=10 \
AdaptiveSizePolicyCollectionCostMargin:up=50 AdaptiveSizePolicyInitializingSteps:up=20 \
AdaptiveSizePolicyOutputInterval:up=0 AdaptiveSizePolicyWeight:up=10 AdaptiveSizeThroughPutPolicy:up=0 \
AdaptiveTimeWeight:up=25 AdjustStackSizeForTLS:bp=false AggressiveHeap:bp=false AggressiveUnboxing:bd=true \
AliasLevel:ip=3 AlignVector:bp=true AllocateHeapAt:sp= AllocateInstancePrefetchLines:ip=1 \
AllocatePrefetchDistance:ip=-1 AllocatePrefetchInstr:ip=0 AllocatePrefetchLines:ip=3 AllocatePrefetchStepSize:ip=16 \
AllocatePrefetchStyle:ip=1 AllowArchivingWithJavaAgent:bd=false AllowParallelDefineClass:bp=false \
AllowRedefinitionToAddDeleteMethods:bp=false AllowUserSignalHandlers:bp=false AllowVectorizeOnDemand:bp=true \
AlwaysActAsServerClassMachine:bp=false AlwaysAtomicAccesses:bx=false AlwaysCompileLoopMethods:bp=false \
AlwaysLockClassLoader:bp=false AlwaysPreTouch:bp=false AlwaysRestoreFPU:bp=false AlwaysSafeConstructors:bx=false \
AlwaysTenure:bp=false ArchiveClassesAtExit:sp= ArchiveRelocationMode:id=1 \
ArrayAllocatorMallocLimit:ux=18446744073709551615 ArrayCopyLoadStoreMaxElem:ip=8 \
ArrayOperationPartialInlineSize:id=0 AsyncDeflationInterval:id=250 AsyncLogBufferSize:up=2097152 \
AutoBoxCacheMax:ip=128 AvgMonitorsPerThreadEstimate:ud=1024 BCEATraceLevel:ip=0 BackgroundCompilation:bp=true \
BaseFootPrintEstimate:up=268435456 BiasedLockingBulkRebiasThreshold:ip=20 BiasedLockingBulkRevokeThreshold:ip=40 \
BiasedLockingDecayTime:ip=25000 BiasedLockingStartupDelay:ip=0 BlockLayoutByFrequency:bp=true \
BlockLayoutMinDiamondPercentage:ip=20 BlockLayoutRotateLoops:bp=true BootstrapJVMCI:bx=false \
BytecodeVerificationLocal:bd=false BytecodeVerificationRemote:bd=true C1InlineStackLimit:ip=10 \
C1MaxInlineLevel:ip=9 C1MaxInlineSize:ip=35 C1MaxRecursiveInlineLevel:ip=1 C1MaxTrivialSize:ip=6 \
C1OptimizeVirtualCallProfiling:bp=true C1ProfileBranches:bp=true C1ProfileCalls:bp=true C1ProfileCheckcasts:bp=true \
C1ProfileInlinedCalls:bp=true C1ProfileVirtualCalls:bp=true C1UpdateMethodData:bp=true CICompilerCount:ip=2 \
CICompilerCountPerCPU:bp=false CIPrintCompileQueue:bd=false CITime:bp=false CheckIntrinsics:bd=true \
CheckJNICalls:bp=false ClassUnloadingWithConcurrentMark:bp=true ClipInlining:bp=true \
CodeCacheExpansionSize:up=65536 CodeCacheMinBlockLength:ud=6 CodeCacheSegmentSize:ux=128 CompactStrings:bp=true \
CompilationMode:sp=default CompileCommand:sp= CompileCommandFile:sp= CompileOnly:sp= CompileThreshold:ip=10000 \
CompileThresholdScaling:fp=1.000000 CompilerDirectivesFile:sd= CompilerDirectivesIgnoreCompileCommands:bd=false \
CompilerDirectivesLimit:id=50 CompilerDirectivesPrint:bd=false CompilerThreadPriority:ip=-1 \
CompilerThreadStackSize:ip=1024 CompressedClassSpaceSize:up=1073741824 ConcGCThreads:up=0 ConditionalMoveLimit:ip=3 \
ContendedPaddingWidth:ip=128 ControlIntrinsic:sd= CrashOnOutOfMemoryError:bp=false CreateCoredumpOnCrash:bp=true \
DTraceAllocProbes:bp=false DTraceMethodProbes:bp=false DTraceMonitorProbes:bp=false DebugInlinedCalls:bd=true \
DebugNonSafepoints:bd=false DeferInitialCardMark:bd=false DeoptimizeNMethodBarriersALot:bd=false \
DiagnoseSyncOnValueBasedClasses:id=0 DisableAttachMechanism:bp=false DisableExplicitGC:bp=false \
DisableIntrinsic:sd= DisablePrimordialThreadGuardPages:bx=false DisplayVMOutput:bd=true \
DisplayVMOutputToStderr:bp=false DisplayVMOutputToStdout:bp=false DoEscapeAnalysis:bp=true \
DoReserveCopyInSuperWord:bp=true DominatorSearchLimit:id=1000 DontCompileHugeMethods:bp=true DontYieldALot:bp=false \
DumpLoadedClassList:sp= DumpPerfMapAtExit:bd=false DumpPrivateMappingsInCore:bd=true DumpReplayDataOnError:bp=true \
DumpSharedMappingsInCore:bd=true DumpSharedSpaces:bp=false DynamicDumpSharedSpaces:bp=false \
DynamicallyResizeSystemDictionaries:bd=true EagerJVMCI:bx=false EagerXrunInit:bp=false \
EliminateAllocationArraySizeLimit:ip=64 EliminateAllocationFieldsLimit:id=512 EliminateAllocations:bp=true \
EliminateAutoBox:bp=true EliminateLocks:bp=true EliminateNestedLocks:bp=true EnableContended:bp=true \
EnableDynamicAgentLoading:bp=true EnableJVMCI:bx=false EnableJVMCIProduct:bx=false \
EnableThreadSMRStatistics:bd=false EnableVectorAggressiveReboxing:bx=false EnableVectorReboxing:bx=false \
EnableVectorSupport:bx=false EpsilonElasticTLAB:bx=true EpsilonElasticTLABDecay:bx=true \
EpsilonMaxTLABSize:ux=4194304 EpsilonMinHeapExpand:ux=134217728 EpsilonPrintHeapSteps:ux=20 \
EpsilonTLABDecayTime:ux=1000 EpsilonTLABElasticity:fx=1.100000 EpsilonUpdateCountersStep:ux=1048576 \
ErgoHeapSizeLimit:up=0 ErrorFile:sp= ErrorFileToStderr:bp=false ErrorFileToStdout:bp=false \
ErrorLogPrintCodeLimit:id=3 ErrorLogTimeout:up=120 EscapeAnalysisTimeout:fp=20.000000 EstimateArgEscape:bp=true \
ExecutingUnitTests:bp=false ExitOnOutOfMemoryError:bp=false ExpandSubTypeCheckAtParseTime:bd=false \
ExplicitGCInvokesConcurrent:bp=false ExtendedDTraceProbes:bp=false ExtensiveErrorReports:bp=false \
ExtraSharedClassListFile:sp= FilterSpuriousWakeups:bp=true FlightRecorder:bp=false FlightRecorderOptions:sp= \
FoldStableValues:bd=true ForceTimeHighResolution:bp=false ForceUnreachable:bd=false FreqInlineSize:ip=325 \
G1AdaptiveIHOPNumInitialSamples:ux=3 G1ConcMarkStepDurationMillis:fp=10.000000 G1ConcRSHotCardLimit:up=4 \
G1ConcRSLogCacheSize:up=10 G1ConcRefinementGreenZone:up=0 G1ConcRefinementRedZone:up=0 \
G1ConcRefinementServiceIntervalMillis:up=300 G1ConcRefinementThreads:up=0 G1ConcRefinementThresholdStep:up=2 \
G1ConcRefinementYellowZone:up=0 G1ConfidencePercent:up=50 G1EagerReclaimHumongousObjects:bx=true \
G1EagerReclaimHumongousObjectsWithStaleRefs:bx=true G1EagerReclaimRemSetThreshold:ux=32 \
G1ExpandByPercentOfAvailable:ix=20 G1HeapRegionSize:up=0 G1HeapWastePercent:up=5 \
G1LastPLABAverageOccupancy:fx=50.000000 G1MaxNewSizePercent:ux=60 G1MixedGCCountTarget:up=8 \
G1MixedGCLiveThresholdPercent:ux=85 G1NewSizePercent:ux=5 G1OldCSetRegionThresholdPercent:ux=10 \
G1PeriodicGCInterval:up=0 G1PeriodicGCInvokesConcurrent:bp=true G1PeriodicGCSystemLoadThreshold:fp=0.000000 \
G1RSetRegionEntries:ip=0 G1RSetSparseRegionEntries:ip=0 G1RSetUpdatingPauseTimePercent:ip=10 \
G1RebuildRemSetChunkSize:ux=262144 G1RefProcDrainInterval:up=1000 G1ReservePercent:up=10 \
G1SATBBufferEnqueueingThresholdPercent:up=60 G1SATBBufferSize:up=1024 G1SummarizeRSetStatsPeriod:id=0 \
G1UpdateBufferSize:up=256 G1UseAdaptiveConcRefinement:bp=true G1UseAdaptiveIHOP:bp=true G1UsePreventiveGC:bd=true \
G1UseReferencePrecleaning:bx=true G1VerifyHeapRegionCodeRoots:bd=false G1VerifyRSetsDuringFullGC:bd=false \
GCDrainStackTargetSize:up=64 GCHeapFreeLimit:up=2 GCLockerEdenExpansionPercent:up=5 \
GCLockerRetryAllocationCount:ud=2 GCParallelVerificationEnabled:bd=true GCPauseIntervalMillis:up=0 \
GCTimeLimit:up=98 GCTimeRatio:up=99 GuaranteedAsyncDeflationInterval:id=60000 GuaranteedSafepointInterval:id=1000 \
HandshakeALot:bd=false HandshakeTimeout:ud=0 HeapBaseMinAddress:up=2147483648 HeapDumpAfterFullGC:bp=false \
HeapDumpBeforeFullGC:bp=false HeapDumpGzipLevel:ip=0 HeapDumpOnOutOfMemoryError:bp=false HeapDumpPath:sp= \
HeapFirstMaximumCompactionCount:up=3 HeapMaximumCompactionInterval:up=20 HeapSearchSteps:up=3 \
HeapSizePerGCThread:up=43620760 HotMethodDetectionLimit:id=100000 IdealizeClearArrayNode:bd=true \
IgnoreEmptyClassPaths:bp=false IgnoreUnrecognizedVMOptions:bp=false ImplicitNullChecks:bd=true \
IncreaseFirstTierCompileThresholdAt:up=50 IncrementalInline:bp=true IncrementalInlineForceCleanup:bd=false \
IncrementalInlineMH:bd=true IncrementalInlineVirtual:bd=true InitArrayShortSize:id=64 \
InitialCodeCacheSize:up=2555904 InitialHeapSize:up=0 InitialRAMFraction:up=64 InitialRAMPercentage:fp=1.562500 \
InitialSurvivorRatio:up=8 InitialTenuringThreshold:up=7 InitiatingHeapOccupancyPercent:up=45 \
InjectGCWorkerCreationFailure:bd=false Inline:bp=true InlineArrayCopy:bd=true InlineCacheBufferSize:ux=10240 \
InlineClassNatives:bd=true InlineDataFile:sp= InlineFrequencyCount:id=100 InlineMathNatives:bd=true \
InlineNIOCheckIndex:bd=true InlineNatives:bd=true InlineObjectCopy:bd=true InlineObjectHash:bd=true \
InlineReflectionGetCallerClass:bd=true InlineSmallCode:ip=1000 InlineSynchronizedMethods:bp=true \
InlineThreadNatives:bd=true InlineUnsafeOps:bd=true IntelJccErratumMitigation:bd=true InteriorEntryAlignment:ip=16 \
InterpreterProfilePercentage:ip=33 JVMCICounterSize:ix=0 JVMCICountersExcludeCompiler:bx=true \
JVMCIEventLogLevel:ix=1 JVMCIHostThreads:ix=1 JVMCILibDumpJNIConfig:sx= JVMCILibPath:sx= \
JVMCINMethodSizeLimit:ix=655360 JVMCIPrintProperties:bx=false JVMCIThreads:ix=1 JVMCITraceLevel:ix=0 \
JavaMonitorsInStackTrace:bp=true JavaPriority10_To_OSPriority:ip=-1 JavaPriority1_To_OSPriority:ip=-1 \
JavaPriority2_To_OSPriority:ip=-1 JavaPriority3_To_OSPriority:ip=-1 JavaPriority4_To_OSPriority:ip=-1 \
JavaPriority5_To_OSPriority:ip=-1 JavaPriority6_To_OSPriority:ip=-1 JavaPriority7_To_OSPriority:ip=-1 \
JavaPriority8_To_OSPriority:ip=-1 JavaPriority9_To_OSPriority:ip=-1 LargePageHeapSizeThreshold:up=134217728 \
LargePageSizeInBytes:up=0 LiveNodeCountInliningCutoff:ip=40000 LoadExecStackDllInVMThread:bp=true \
LogCompilation:bd=false LogEvents:bd=true LogEventsBufferEntries:ud=20 LogFile:sd= LogTouchedMethods:bd=false \
LogVMOutput:bd=false LoopMaxUnroll:ip=16 LoopOptsCount:ip=43 LoopPercentProfileLimit:ip=10 LoopStripMiningIter:up=0 \
LoopStripMiningIterShortLoop:up=0 LoopUnrollLimit:ip=60 LoopUnrollMin:ip=4 LoopUnswitching:bp=true \
MallocMaxTestWords:ud=0 ManagementServer:bp=false MarkStackSize:up=4194304 MarkStackSizeMax:up=536870912 \
MarkSweepAlwaysCompactCount:up=4 MarkSweepDeadRatio:up=5 MaxBCEAEstimateLevel:ip=5 MaxBCEAEstimateSize:ip=150 \
MaxDirectMemorySize:up=0 MaxFDLimit:bp=true MaxGCMinorPauseMillis:up=18446744073709551615 \
MaxGCPauseMillis:up=18446744073709551614 MaxHeapFreeRatio:up=70 MaxHeapSize:up=130862280 MaxInlineLevel:ip=15 \
MaxInlineSize:ip=35 MaxJNILocalCapacity:ip=65536 MaxJavaStackTraceDepth:ip=1024 MaxJumpTableSize:ip=65000 \
MaxJumpTableSparseness:ip=5 MaxLabelRootDepth:ip=1100 MaxLoopPad:ip=15 MaxMetaspaceExpansion:up=5452592 \
MaxMetaspaceFreeRatio:up=70 MaxMetaspaceSize:up=18446744073709551615 MaxNewSize:up=18446744073709551615 \
MaxNodeLimit:ip=80000 MaxRAM:up=137438953472 MaxRAMFraction:up=4 MaxRAMPercentage:fp=25.000000 \
MaxRecursiveInlineLevel:ip=1 MaxTenuringThreshold:up=15 MaxTrivialSize:ip=6 MaxVectorSize:ip=64 \
MetaspaceGuardAllocations:bd=false MetaspaceHandleDeallocations:bd=true MetaspaceReclaimPolicy:sp=balanced \
MetaspaceSize:up=22020096 MethodFlushing:bp=true MinHeapDeltaBytes:up=170392 MinHeapFreeRatio:up=40 \
MinHeapSize:up=0 MinInliningThreshold:ip=250 MinJumpTableSize:ip=10 MinMetaspaceExpansion:up=340784 \
MinMetaspaceFreeRatio:up=40 MinPassesBeforeFlush:id=10 MinRAMFraction:up=2 MinSurvivorRatio:up=3 \
MinTLABSize:up=2048 MonitorDeflationMax:id=1000000 MonitorUnlinkBatch:id=500 MonitorUsedDeflationThreshold:id=90 \
MultiArrayExpandLimit:ip=6 NUMAChunkResizeWeight:up=20 NUMAInterleaveGranularity:up=2097152 NUMAPageScanRate:up=256 \
NUMASpaceResizeRate:up=1073741824 NUMAStats:bp=false NativeMemoryTracking:sp=off \
NeverActAsServerClassMachine:bp=false NeverTenure:bp=false NewRatio:up=2 NewSize:up=1363144 \
NewSizeThreadIncrease:up=5320 NmethodSweepActivity:ip=10 NoAsyncDeflationProgressMax:ud=3 \
NodeLimitFudgeFactor:ip=2000 NonNMethodCodeHeapSize:up=5242880 NonProfiledCodeHeapSize:up=22020096 \
NumberOfLoopInstrToAlign:ip=4 ObjectAlignmentInBytes:ip=8 ObjectCountCutOffPercent:fx=0.500000 OldPLABSize:up=1024 \
OldSize:up=5452592 OmitStackTraceInFastThrow:bp=true OnError:sp= OnOutOfMemoryError:sp= \
OnStackReplacePercentage:ip=140 OptimizeExpensiveOps:bd=true OptimizeFill:bp=true OptimizePtrCompare:bp=true \
OptimizeStringConcat:bp=true OptoBundling:bp=false OptoLoopAlignment:ip=16 OptoRegScheduling:bp=true \
OptoScheduling:bp=false PLABWeight:up=75 PSChunkLargeArrays:bp=true ParGCArrayScanChunk:ip=50 \
ParallelGCBufferWastePct:up=10 ParallelGCThreads:up=0 ParallelOldDeadWoodLimiterMean:up=50 \
ParallelOldDeadWoodLimiterStdDev:up=80 ParallelRefProcBalancingEnabled:bp=true ParallelRefProcEnabled:bp=false \
PartialPeelAtUnsignedTests:bp=true PartialPeelLoop:bp=true PartialPeelNewPhiDelta:ip=0 PauseAtExit:bd=false \
PauseAtStartup:bd=false PauseAtStartupFile:sd= PausePadding:up=1 PerBytecodeRecompilationCutoff:ip=200 \
PerBytecodeTrapLimit:ip=4 PerMethodRecompilationCutoff:ip=400 PerMethodSpecTrapLimit:ix=5000 \
PerMethodTrapLimit:ip=100 PerfAllowAtExitRegistration:bp=false PerfBypassFileSystemCheck:bp=false \
PerfDataMemorySize:ip=32768 PerfDataSamplingInterval:ip=50 PerfDataSaveFile:sp= PerfDataSaveToFile:bp=false \
PerfDisableSharedMem:bp=false PerfMaxStringConstLength:ip=1024 PostLoopMultiversioning:bx=false \
PreTouchParallelChunkSize:up=4194304 PreferContainerQuotaForCPUCount:bp=true PreferInterpreterNativeStubs:bp=false \
PrefetchCopyIntervalInBytes:ip=-1 PrefetchFieldsAhead:ip=-1 PrefetchScanIntervalInBytes:ip=-1 \
PreserveAllAnnotations:bp=false PreserveFramePointer:bp=false PretenureSizeThreshold:up=0 \
PrintAdapterHandlers:bd=false PrintAssembly:bd=false PrintAssemblyOptions:sd= PrintBiasedLockingStatistics:bd=false \
PrintBootstrap:bx=true PrintClassHistogram:bp=false PrintCodeCache:bp=false PrintCodeCacheOnCompilation:bp=false \
PrintCodeHeapAnalytics:bd=false PrintCommandLineFlags:bp=false PrintCompilation2:bd=false PrintCompilation:bp=false \
PrintConcurrentLocks:bp=false PrintExtendedThreadInfo:bp=false PrintFlagsFinal:bp=false PrintFlagsInitial:bp=false \
PrintFlagsRanges:bp=false PrintGC:bp=false PrintGCDetails:bp=false PrintHeapAtSIGBREAK:bp=true \
PrintInlining:bd=false PrintInterpreter:bd=false PrintIntrinsics:bd=false PrintMetaspaceStatisticsAtExit:bd=false \
PrintMethodData:bd=false PrintMethodFlushingStatistics:bd=false PrintMethodHandleStubs:bd=false \
PrintNMTStatistics:bd=false PrintNMethods:bd=false PrintNativeNMethods:bd=false PrintOptoAssembly:bd=false \
PrintPreciseBiasedLockingStatistics:bd=false PrintPreciseRTMLockingStatistics:bd=false \
PrintSharedArchiveAndExit:bp=false PrintSharedDictionary:bp=false PrintSignatureHandlers:bd=false \
PrintStringTableStatistics:bp=false PrintStubCode:bd=false PrintTieredEvents:bp=false \
PrintTouchedMethodsAtExit:bd=false PrintVMOptions:bp=false PrintWarnings:bp=true ProcessDistributionStride:up=4 \
ProfileDynamicTypes:bd=true ProfileInterpreter:bp=true ProfileMaturityPercentage:ip=20 \
ProfiledCodeHeapSize:up=23068672 PromotedPadding:up=3 QueuedAllocationWarningCount:up=0 RTMAbortRatio:ix=50 \
RTMAbortThreshold:ix=1000 RTMLockingCalculationDelay:ix=0 RTMLockingThreshold:ix=10000 RTMRetryCount:ip=5 \
RTMSpinLoopCount:ix=100 RTMTotalCountIncrRate:ix=64 RangeCheckElimination:bp=true ReassociateInvariants:bp=true \
RecordDynamicDumpInfo:bp=false ReduceBulkZeroing:bp=true ReduceFieldZeroing:bp=true ReduceInitialCardMarks:bp=true \
ReduceNumberOfCompilerThreads:bd=true ReduceSignalUsage:bp=false RefDiscoveryPolicy:ip=0 \
ReferencesPerThread:ux=1000 RegisterFinalizersAtInit:bp=true RelaxAccessControlCheck:bp=false \
RepeatCompilation:id=0 ReplayDataFile:sp= RequireSharedSpaces:bp=false ReservedCodeCacheSize:up=50331648 \
ResizePLAB:bp=true ResizeTLAB:bp=true RestoreMXCSROnJNICalls:bp=false RestrictContended:bp=true \
RestrictReservedStack:bp=true RewriteBytecodes:bp=true RewriteFrequentPairs:bp=true SafepointALot:bd=false \
SafepointTimeout:bp=false SafepointTimeoutDelay:ip=10000 ScavengeBeforeFullGC:bp=true ScavengeRootsInCode:id=2 \
SegmentedCodeCache:bp=false SelfDestructTimer:ip=0 SerializeVMOutput:bd=true SharedArchiveConfigFile:sp= \
SharedArchiveFile:sp= SharedBaseAddress:up=34359738368 SharedClassListFile:sp= SharedSymbolTableBucketSize:up=4 \
ShenandoahAdaptiveDecayFactor:fx=0.500000 ShenandoahAdaptiveInitialConfidence:fx=1.800000 \
ShenandoahAdaptiveInitialSpikeThreshold:fx=1.800000 ShenandoahAdaptiveSampleFrequencyHz:ux=10 \
ShenandoahAdaptiveSampleSizeSeconds:ux=10 ShenandoahAllocFailureALot:bd=false ShenandoahAllocSpikeFactor:ux=5 \
ShenandoahAllocationThreshold:ux=0 ShenandoahAlwaysClearSoftRefs:bx=false ShenandoahCASBarrier:bd=true \
ShenandoahCloneBarrier:bd=true ShenandoahControlIntervalAdjustPeriod:ux=1000 ShenandoahControlIntervalMax:ux=10 \
ShenandoahControlIntervalMin:ux=1 ShenandoahCriticalFreeThreshold:ux=1 ShenandoahDegeneratedGC:bd=true \
ShenandoahElasticTLAB:bd=true ShenandoahEvacReserve:ux=5 ShenandoahEvacReserveOverflow:bx=true \
ShenandoahEvacWaste:fx=1.200000 ShenandoahFullGCThreshold:ux=3 ShenandoahGCHeuristics:sp=adaptive \
ShenandoahGCMode:sp=satb ShenandoahGarbageThreshold:ux=25 ShenandoahGuaranteedGCInterval:ux=300000 \
ShenandoahHumongousMoves:bd=true ShenandoahHumongousThreshold:ix=100 ShenandoahIUBarrier:bd=false \
ShenandoahImmediateThreshold:ux=90 ShenandoahImplicitGCInvokesConcurrent:bx=false ShenandoahInitFreeThreshold:ux=70 \
ShenandoahLearningSteps:ux=5 ShenandoahLoadRefBarrier:bd=true ShenandoahLoopOptsAfterExpansion:bd=true \
ShenandoahMarkLoopStride:ux=1000 ShenandoahMarkScanPrefetch:ix=32 ShenandoahMaxRegionSize:ux=33554432 \
ShenandoahMaxSATBBufferFlushes:ux=5 ShenandoahMinFreeThreshold:ux=10 ShenandoahMinRegionSize:ux=262144 \
ShenandoahNMethodBarrier:bd=true ShenandoahOOMDuringEvacALot:bd=false ShenandoahPacing:bx=true \
ShenandoahPacingCycleSlack:ux=10 ShenandoahPacingIdleSlack:ux=2 ShenandoahPacingMaxDelay:ux=10 \
ShenandoahPacingSurcharge:fx=1.100000 ShenandoahParallelRegionStride:ux=1024 ShenandoahRegionSampling:bx=false \
ShenandoahRegionSamplingRate:ix=40 ShenandoahRegionSize:ux=0 ShenandoahSATBBarrier:bd=true \
ShenandoahSATBBufferSize:ux=1024 ShenandoahSelfFixing:bd=true ShenandoahStackWatermarkBarrier:bd=true \
ShenandoahSuspendibleWorkers:bx=true ShenandoahTargetNumRegions:ux=2048 ShenandoahUncommit:bx=true \
ShenandoahUncommitDelay:ux=300000 ShenandoahUnloadClassesFrequency:ux=1 ShenandoahVerify:bd=false \
ShenandoahVerifyLevel:id=4 ShowCodeDetailsInExceptionMessages:bp=true ShowHiddenFrames:bd=false \
ShowMessageBoxOnError:bp=false ShowRegistersOnAssert:bd=true ShrinkHeapInSteps:bp=true SoftMaxHeapSize:up=0 \
SoftRefLRUPolicyMSPerMB:ip=1000 SpecTrapLimitExtraEntries:ix=3 SpecialArraysEquals:bd=true \
SpecialEncodeISOArray:bd=true SpecialStringCompareTo:bd=true SpecialStringEquals:bd=true \
SpecialStringIndexOf:bd=true SplitIfBlocks:bp=true StackRedPages:ip=1 StackReservedPages:ip=1 \
StackShadowPages:ip=20 StackTraceInThrowable:bp=true StackYellowPages:ip=2 StartAggressiveSweepingAt:up=10 \
StartAttachListener:bp=false StartFlightRecording:sp= StressCCP:bd=false StressCodeAging:bd=false \
StressGCM:bd=false StressIGVN:bd=false StressLCM:bd=false StressLdcRewrite:bd=false StressSeed:ud=0 \
StringDeduplicationAgeThreshold:up=3 StringDeduplicationCleanupDeadMinimum:ux=100 \
StringDeduplicationCleanupDeadPercent:ix=5 StringDeduplicationGrowTableLoad:fx=14.000000 \
StringDeduplicationHashSeed:ud=0 StringDeduplicationInitialTableSize:ux=500 StringDeduplicationResizeALot:bd=false \
StringDeduplicationShrinkTableLoad:fx=1.000000 StringDeduplicationTargetTableLoad:fx=7.000000 \
StringTableSize:up=65536 SuperWordLoopUnrollAnalysis:bp=true SuperWordReductions:bp=true \
SuppressFatalErrorMessage:bp=false SurvivorPadding:up=3 SurvivorRatio:up=8 SweeperThreshold:fp=0.500000 \
SymbolTableSize:ux=32768 THPStackMitigation:bd=false TLABAllocationWeight:up=35 TLABRefillWasteFraction:up=64 \
TLABSize:up=0 TLABStats:bp=true TLABWasteIncrement:up=4 TLABWasteTargetPercent:up=1 TargetPLABWastePct:up=10 \
TargetSurvivorRatio:up=50 TenuredGenerationSizeIncrement:up=20 TenuredGenerationSizeSupplement:up=80 \
TenuredGenerationSizeSupplementDecay:up=2 ThreadPriorityPolicy:ip=0 ThreadPriorityVerbose:bp=false \
ThreadStackSize:ip=1024 ThresholdTolerance:up=10 Tier0BackedgeNotifyFreqLog:ip=10 Tier0Delay:id=20 \
Tier0InvokeNotifyFreqLog:ip=7 Tier0ProfilingStartPercentage:ip=200 Tier23InlineeNotifyFreqLog:ip=20 \
Tier2BackEdgeThreshold:ip=0 Tier2BackedgeNotifyFreqLog:ip=14 Tier2CompileThreshold:ip=0 \
Tier2InvokeNotifyFreqLog:ip=11 Tier3BackEdgeThreshold:ip=60000 Tier3BackedgeNotifyFreqLog:ip=13 \
Tier3CompileThreshold:ip=2000 Tier3DelayOff:ip=2 Tier3DelayOn:ip=5 Tier3InvocationThreshold:ip=200 \
Tier3InvokeNotifyFreqLog:ip=10 Tier3LoadFeedback:ip=5 Tier3MinInvocationThreshold:ip=100 \
Tier4BackEdgeThreshold:ip=40000 Tier4CompileThreshold:ip=15000 Tier4InvocationThreshold:ip=5000 \
Tier4LoadFeedback:ip=3 Tier4MinInvocationThreshold:ip=600 TieredCompilation:bp=true TieredCompileTaskTimeout:ip=50 \
TieredOldPercentage:id=1000 TieredRateUpdateMaxTime:ip=25 TieredRateUpdateMinTime:ip=1 TieredStopAtLevel:ip=4 \
TimeLinearScan:bp=false TimerSlack:ix=-1 TraceCompilerThreads:bd=false TraceJVMTI:sp= TraceSpilling:bd=false \
TraceTypeProfile:bd=false TrackedInitializationLimit:ip=50 TrapBasedNullChecks:bp=false \
TrapBasedRangeChecks:bp=false TrimNativeHeapInterval:up=0 TrustFinalNonStaticFields:bx=false \
TypeProfileArgsLimit:ip=2 TypeProfileLevel:up=111 TypeProfileMajorReceiverPercent:ip=90 TypeProfileParmsLimit:ip=2 \
TypeProfileWidth:ip=2 UnguardOnExecutionViolation:ip=0 UnlockDiagnosticVMOptions:bd=true \
UnlockExperimentalVMOptions:bx=true UseAES:bp=false UseAESCTRIntrinsics:bd=true UseAESIntrinsics:bd=true \
UseAVX:ip=3 UseAdaptiveGenerationSizePolicyAtMajorCollection:bp=true \
UseAdaptiveGenerationSizePolicyAtMinorCollection:bp=true UseAdaptiveNUMAChunkSizing:bp=true \
UseAdaptiveSizeDecayMajorGCCost:bp=true UseAdaptiveSizePolicy:bp=true UseAdaptiveSizePolicyFootprintGoal:bp=true \
UseAdaptiveSizePolicyWithSystemGC:bp=false UseAddressNop:bp=false UseAdler32Intrinsics:bd=true \
UseBASE64Intrinsics:bp=false UseBMI1Instructions:bp=false UseBMI2Instructions:bp=false UseBiasedLocking:bp=false \
UseBimorphicInlining:bp=true UseBootstrapCallInfo:id=1 UseCLMUL:bp=false UseCMoveUnconditionally:bp=false \
UseCRC32CIntrinsics:bd=true UseCRC32Intrinsics:bd=true UseCharacterCompareIntrinsics:bd=false UseCodeAging:bp=true \
UseCodeCacheFlushing:bp=true UseCompiler:bp=true UseCompressedClassPointers:bp=false UseCompressedOops:bp=false \
UseCondCardMark:bp=false UseContainerCpuShares:bp=false UseContainerSupport:bp=true UseCopySignIntrinsic:bd=false \
UseCountLeadingZerosInstruction:bp=false UseCountTrailingZerosInstruction:bp=false \
UseCountedLoopSafepoints:bp=false UseCounterDecay:bp=true UseCpuAllocPath:bd=false \
UseCriticalCompilerThreadPriority:bx=false UseCriticalJavaThreadPriority:bx=false UseDivMod:bp=true \
UseDynamicNumberOfCompilerThreads:bp=true UseDynamicNumberOfGCThreads:bp=true UseEmptySlotsInSupers:bp=true \
UseEpsilonGC:bx=false UseFMA:bp=false UseFPUForSpilling:bp=false UseFastJNIAccessors:bp=true UseFastStosb:bp=false \
UseFastUnorderedTimeStamps:bx=false UseG1GC:bp=false UseGCOverheadLimit:bp=true UseGHASHIntrinsics:bd=true \
UseHeavyMonitors:bp=false UseHugeTLBFS:bp=false UseIncDec:bd=true UseInlineCaches:bp=true \
UseInlineDepthForSpeculativeTypes:bd=true UseInterpreter:bp=true UseJVMCICompiler:bx=false \
UseJVMCINativeLibrary:bx=false UseJumpTables:bp=true UseKNLSetting:bd=false UseLargePages:bp=false \
UseLargePagesIndividualAllocation:bp=false UseLibmIntrinsic:bd=true UseLinuxPosixThreadCPUClocks:bp=true \
UseLoopCounter:bp=true UseLoopInvariantCodeMotion:bp=true UseLoopPredicate:bp=true UseMD5Intrinsics:bd=true \
UseMathExactIntrinsics:bd=true UseMaximumCompactionOnSystemGC:bp=true UseMontgomeryMultiplyIntrinsic:bd=true \
UseMontgomerySquareIntrinsic:bd=true UseMulAddIntrinsic:bd=true UseMultiplyToLenIntrinsic:bd=true UseNUMA:bp=false \
UseNUMAInterleaving:bp=false UseNewCode2:bd=false UseNewCode3:bd=false UseNewCode:bd=false \
UseNewLongLShift:bp=false UseNotificationThread:bp=true UseOnStackReplacement:bp=true \
UseOnlyInlinedBimorphic:bp=true UseOprofile:bp=false UseOptoBiasInlining:bp=true \
UsePSAdaptiveSurvivorSizePolicy:bp=true UseParallelGC:bp=false UsePerfData:bp=true UsePopCountInstruction:bp=false \
UseProfiledLoopPredicate:bp=true UseRTMDeopt:bp=false UseRTMForStackLocks:bx=false UseRTMLocking:bp=false \
UseRTMXendForLockBusy:bx=true UseSHA1Intrinsics:bd=true UseSHA256Intrinsics:bd=true UseSHA3Intrinsics:bd=false \
UseSHA512Intrinsics:bd=true UseSHA:bp=false UseSHM:bp=false UseSSE42Intrinsics:bp=false UseSSE:ip=99 \
UseSerialGC:bp=false UseSharedSpaces:bp=true UseShenandoahGC:bp=false UseSignalChaining:bp=true \
UseSignumIntrinsic:bd=true UseSquareToLenIntrinsic:bd=true UseStoreImmI16:bp=true UseStringDeduplication:bp=false \
UseSubwordForMaxVector:bp=true UseSuperWord:bp=true UseSwitchProfiling:bd=true UseTLAB:bp=true \
UseThreadPriorities:bp=true UseTypeProfile:bp=true UseTypeSpeculation:bp=true \
UseUnalignedAccesses:bd=true UseUnalignedLoadStores:bp=false UseVectorCmov:bp=false UseVectorMacroLogic:bd=true \
UseVectorStubs:bx=false UseVectorizedMismatchIntrinsic:bd=true UseVtableBasedCHA:bd=true \
UseXMMForArrayCopy:bp=false UseXMMForObjInit:bp=false UseXmmI2D:bp=false UseXmmI2F:bp=false \
UseXmmLoadAndClearUpper:bp=true UseXmmRegToRegMoveAll:bp=false UseZGC:bp=false VMThreadPriority:ip=-1 \
VMThreadStackSize:ip=1024 ValueMapInitialSize:ip=11 ValueMapMaxLoopSize:ip=8 ValueSearchLimit:ip=1000 \
VerifyAdapterCalls:bd=false VerifyAfterGC:bd=false VerifyArchivedFields:id=0 VerifyBeforeExit:bd=false \
VerifyBeforeGC:bd=false VerifyBeforeIteration:bd=false VerifyDuringGC:bd=false VerifyDuringStartup:bd=false \
VerifyGCLevel:id=0 VerifyGCStartAt:ud=0 VerifyGCType:sd= VerifyMethodHandles:bd=false \
VerifyObjectStartArray:bd=true VerifyReceiverTypes:bd=false VerifyRememberedSets:bd=false \
VerifySharedSpaces:bp=false VerifyStringTableAtExit:bd=false VerifySubSet:sd= WhiteBoxAPI:bd=false \
WorkStealingHardSpins:ux=4096 WorkStealingSleepMillis:ux=1 WorkStealingSpinToYieldRatio:ux=10 \
WorkStealingYieldsBeforeSleep:ux=5000 YoungGenerationSizeIncrement:up=20 YoungGenerationSizeSupplement:up=80 \
YoungGenerationSizeSupplementDecay:up=8 YoungPLABSize:up=4096 ZAllocationSpikeTolerance:fp=2.000000 \
ZCollectionInterval:fp=0.000000 ZFragmentationLimit:fp=25.000000 ZMarkStackSpaceLimit:up=8589934592 \
ZProactive:bp=true ZStatisticsInterval:ud=10 ZStressRelocateInPlace:bd=false ZUncommit:bp=true \
ZUncommitDelay:up=300 ZVerifyForwarding:bd=false ZVerifyMarking:bd=false ZVerifyObjects:bd=false \
ZVerifyRoots:bd=false ZVerifyViews:bd=false ZeroTLAB:bp=false hashCode:ix=5 \
";
