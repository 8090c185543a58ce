//! Names of the -XX flags that OpenJDK 17's own VM knows (generated from its flag listing).
//!
//! Invariant: a flag that stands here and not in Concord's table is accepted with one warning line.
//! Each name is followed by its type (b boolean, i signed, u unsigned, f double, s text) and its
//! kind (p product, d diagnostic, x experimental).

/// `Name:tk` separated by white space, ascending.
pub(super) const NAMES: &str = "\
AVX3Threshold:id AbortVMOnCompilationFailure:bd AbortVMOnException:sd AbortVMOnExceptionMessage:sd \
AbortVMOnSafepointTimeout:bd AbortVMOnVMOperationTimeout:bd AbortVMOnVMOperationTimeoutDelay:id \
ActiveProcessorCount:ip AdaptiveSizeDecrementScaleFactor:up AdaptiveSizeMajorGCDecayTimeScale:up \
AdaptiveSizePolicyCollectionCostMargin:up AdaptiveSizePolicyInitializingSteps:up \
AdaptiveSizePolicyOutputInterval:up AdaptiveSizePolicyWeight:up AdaptiveSizeThroughPutPolicy:up \
AdaptiveTimeWeight:up AdjustStackSizeForTLS:bp AggressiveHeap:bp AggressiveUnboxing:bd AliasLevel:ip \
AlignVector:bp AllocateHeapAt:sp AllocateInstancePrefetchLines:ip AllocatePrefetchDistance:ip \
AllocatePrefetchInstr:ip AllocatePrefetchLines:ip AllocatePrefetchStepSize:ip AllocatePrefetchStyle:ip \
AllowArchivingWithJavaAgent:bd AllowParallelDefineClass:bp AllowRedefinitionToAddDeleteMethods:bp \
AllowUserSignalHandlers:bp AllowVectorizeOnDemand:bp AlwaysActAsServerClassMachine:bp \
AlwaysAtomicAccesses:bx AlwaysCompileLoopMethods:bp AlwaysLockClassLoader:bp AlwaysPreTouch:bp \
AlwaysRestoreFPU:bp AlwaysSafeConstructors:bx AlwaysTenure:bp ArchiveClassesAtExit:sp \
ArchiveRelocationMode:id ArrayAllocatorMallocLimit:ux ArrayCopyLoadStoreMaxElem:ip \
ArrayOperationPartialInlineSize:id AsyncDeflationInterval:id AsyncLogBufferSize:up AutoBoxCacheMax:ip \
AvgMonitorsPerThreadEstimate:ud BCEATraceLevel:ip BackgroundCompilation:bp BaseFootPrintEstimate:up \
BiasedLockingBulkRebiasThreshold:ip BiasedLockingBulkRevokeThreshold:ip BiasedLockingDecayTime:ip \
BiasedLockingStartupDelay:ip BlockLayoutByFrequency:bp BlockLayoutMinDiamondPercentage:ip \
BlockLayoutRotateLoops:bp BootstrapJVMCI:bx BytecodeVerificationLocal:bd BytecodeVerificationRemote:bd \
C1InlineStackLimit:ip C1MaxInlineLevel:ip C1MaxInlineSize:ip C1MaxRecursiveInlineLevel:ip \
C1MaxTrivialSize:ip C1OptimizeVirtualCallProfiling:bp C1ProfileBranches:bp C1ProfileCalls:bp \
C1ProfileCheckcasts:bp C1ProfileInlinedCalls:bp C1ProfileVirtualCalls:bp C1UpdateMethodData:bp \
CICompilerCount:ip CICompilerCountPerCPU:bp CIPrintCompileQueue:bd CITime:bp CheckIntrinsics:bd \
CheckJNICalls:bp ClassUnloadingWithConcurrentMark:bp ClipInlining:bp \
CodeCacheExpansionSize:up CodeCacheMinBlockLength:ud CodeCacheSegmentSize:ux CompactStrings:bp \
CompilationMode:sp CompileCommand:sp CompileCommandFile:sp CompileOnly:sp CompileThreshold:ip \
CompileThresholdScaling:fp CompilerDirectivesFile:sd CompilerDirectivesIgnoreCompileCommands:bd \
CompilerDirectivesLimit:id CompilerDirectivesPrint:bd CompilerThreadPriority:ip CompilerThreadStackSize:ip \
CompressedClassSpaceSize:up ConcGCThreads:up ConditionalMoveLimit:ip ContendedPaddingWidth:ip \
ControlIntrinsic:sd CrashOnOutOfMemoryError:bp CreateCoredumpOnCrash:bp \
DTraceAllocProbes:bp DTraceMethodProbes:bp DTraceMonitorProbes:bp DebugInlinedCalls:bd DebugNonSafepoints:bd \
DeferInitialCardMark:bd DeoptimizeNMethodBarriersALot:bd DiagnoseSyncOnValueBasedClasses:id \
DisableAttachMechanism:bp DisableExplicitGC:bp DisableIntrinsic:sd DisablePrimordialThreadGuardPages:bx \
DisplayVMOutput:bd DisplayVMOutputToStderr:bp DisplayVMOutputToStdout:bp DoEscapeAnalysis:bp \
DoReserveCopyInSuperWord:bp DominatorSearchLimit:id DontCompileHugeMethods:bp DontYieldALot:bp \
DumpLoadedClassList:sp DumpPerfMapAtExit:bd DumpPrivateMappingsInCore:bd DumpReplayDataOnError:bp \
DumpSharedMappingsInCore:bd DumpSharedSpaces:bp DynamicDumpSharedSpaces:bp \
DynamicallyResizeSystemDictionaries:bd EagerJVMCI:bx EagerXrunInit:bp EliminateAllocationArraySizeLimit:ip \
EliminateAllocationFieldsLimit:id EliminateAllocations:bp EliminateAutoBox:bp EliminateLocks:bp \
EliminateNestedLocks:bp EnableContended:bp EnableDynamicAgentLoading:bp EnableJVMCI:bx EnableJVMCIProduct:bx \
EnableThreadSMRStatistics:bd EnableVectorAggressiveReboxing:bx EnableVectorReboxing:bx \
EnableVectorSupport:bx EpsilonElasticTLAB:bx EpsilonElasticTLABDecay:bx EpsilonMaxTLABSize:ux \
EpsilonMinHeapExpand:ux EpsilonPrintHeapSteps:ux EpsilonTLABDecayTime:ux EpsilonTLABElasticity:fx \
EpsilonUpdateCountersStep:ux ErgoHeapSizeLimit:up ErrorFile:sp ErrorFileToStderr:bp ErrorFileToStdout:bp \
ErrorLogPrintCodeLimit:id ErrorLogTimeout:up EscapeAnalysisTimeout:fp EstimateArgEscape:bp \
ExecutingUnitTests:bp ExitOnOutOfMemoryError:bp ExpandSubTypeCheckAtParseTime:bd \
ExplicitGCInvokesConcurrent:bp ExtendedDTraceProbes:bp ExtensiveErrorReports:bp ExtraSharedClassListFile:sp \
FilterSpuriousWakeups:bp FlightRecorder:bp FlightRecorderOptions:sp FoldStableValues:bd \
ForceTimeHighResolution:bp ForceUnreachable:bd FreqInlineSize:ip G1AdaptiveIHOPNumInitialSamples:ux \
G1ConcMarkStepDurationMillis:fp G1ConcRSHotCardLimit:up G1ConcRSLogCacheSize:up G1ConcRefinementGreenZone:up \
G1ConcRefinementRedZone:up G1ConcRefinementServiceIntervalMillis:up G1ConcRefinementThreads:up \
G1ConcRefinementThresholdStep:up G1ConcRefinementYellowZone:up G1ConfidencePercent:up \
G1EagerReclaimHumongousObjects:bx G1EagerReclaimHumongousObjectsWithStaleRefs:bx \
G1EagerReclaimRemSetThreshold:ux G1ExpandByPercentOfAvailable:ix G1HeapRegionSize:up G1HeapWastePercent:up \
G1LastPLABAverageOccupancy:fx G1MaxNewSizePercent:ux G1MixedGCCountTarget:up \
G1MixedGCLiveThresholdPercent:ux G1NewSizePercent:ux G1OldCSetRegionThresholdPercent:ux \
G1PeriodicGCInterval:up G1PeriodicGCInvokesConcurrent:bp G1PeriodicGCSystemLoadThreshold:fp \
G1RSetRegionEntries:ip G1RSetSparseRegionEntries:ip G1RSetUpdatingPauseTimePercent:ip \
G1RebuildRemSetChunkSize:ux G1RefProcDrainInterval:up G1ReservePercent:up \
G1SATBBufferEnqueueingThresholdPercent:up G1SATBBufferSize:up G1SummarizeRSetStatsPeriod:id \
G1UpdateBufferSize:up G1UseAdaptiveConcRefinement:bp G1UseAdaptiveIHOP:bp G1UsePreventiveGC:bd \
G1UseReferencePrecleaning:bx G1VerifyHeapRegionCodeRoots:bd G1VerifyRSetsDuringFullGC:bd \
GCDrainStackTargetSize:up GCHeapFreeLimit:up GCLockerEdenExpansionPercent:up GCLockerRetryAllocationCount:ud \
GCParallelVerificationEnabled:bd GCPauseIntervalMillis:up GCTimeLimit:up GCTimeRatio:up \
GuaranteedAsyncDeflationInterval:id GuaranteedSafepointInterval:id HandshakeALot:bd HandshakeTimeout:ud \
HeapBaseMinAddress:up HeapDumpAfterFullGC:bp HeapDumpBeforeFullGC:bp HeapDumpGzipLevel:ip \
HeapDumpOnOutOfMemoryError:bp HeapDumpPath:sp HeapFirstMaximumCompactionCount:up \
HeapMaximumCompactionInterval:up HeapSearchSteps:up HeapSizePerGCThread:up HotMethodDetectionLimit:id \
IdealizeClearArrayNode:bd IgnoreEmptyClassPaths:bp IgnoreUnrecognizedVMOptions:bp ImplicitNullChecks:bd \
IncreaseFirstTierCompileThresholdAt:up IncrementalInline:bp IncrementalInlineForceCleanup:bd \
IncrementalInlineMH:bd IncrementalInlineVirtual:bd InitArrayShortSize:id InitialCodeCacheSize:up \
InitialHeapSize:up InitialRAMFraction:up InitialRAMPercentage:fp InitialSurvivorRatio:up \
InitialTenuringThreshold:up InitiatingHeapOccupancyPercent:up InjectGCWorkerCreationFailure:bd Inline:bp \
InlineArrayCopy:bd InlineCacheBufferSize:ux InlineClassNatives:bd InlineDataFile:sp InlineFrequencyCount:id \
InlineMathNatives:bd InlineNIOCheckIndex:bd InlineNatives:bd InlineObjectCopy:bd InlineObjectHash:bd \
InlineReflectionGetCallerClass:bd InlineSmallCode:ip InlineSynchronizedMethods:bp InlineThreadNatives:bd \
InlineUnsafeOps:bd IntelJccErratumMitigation:bd InteriorEntryAlignment:ip InterpreterProfilePercentage:ip \
JVMCICounterSize:ix JVMCICountersExcludeCompiler:bx JVMCIEventLogLevel:ix JVMCIHostThreads:ix \
JVMCILibDumpJNIConfig:sx JVMCILibPath:sx JVMCINMethodSizeLimit:ix JVMCIPrintProperties:bx JVMCIThreads:ix \
JVMCITraceLevel:ix JavaMonitorsInStackTrace:bp JavaPriority10_To_OSPriority:ip \
JavaPriority1_To_OSPriority:ip JavaPriority2_To_OSPriority:ip JavaPriority3_To_OSPriority:ip \
JavaPriority4_To_OSPriority:ip JavaPriority5_To_OSPriority:ip JavaPriority6_To_OSPriority:ip \
JavaPriority7_To_OSPriority:ip JavaPriority8_To_OSPriority:ip JavaPriority9_To_OSPriority:ip \
LargePageHeapSizeThreshold:up LargePageSizeInBytes:up LiveNodeCountInliningCutoff:ip \
LoadExecStackDllInVMThread:bp LogCompilation:bd LogEvents:bd LogEventsBufferEntries:ud LogFile:sd \
LogTouchedMethods:bd LogVMOutput:bd LoopMaxUnroll:ip LoopOptsCount:ip LoopPercentProfileLimit:ip \
LoopStripMiningIter:up LoopStripMiningIterShortLoop:up LoopUnrollLimit:ip LoopUnrollMin:ip \
LoopUnswitching:bp MallocMaxTestWords:ud ManagementServer:bp MarkStackSize:up MarkStackSizeMax:up \
MarkSweepAlwaysCompactCount:up MarkSweepDeadRatio:up MaxBCEAEstimateLevel:ip MaxBCEAEstimateSize:ip \
MaxDirectMemorySize:up MaxFDLimit:bp MaxGCMinorPauseMillis:up MaxGCPauseMillis:up MaxHeapFreeRatio:up \
MaxHeapSize:up MaxInlineLevel:ip MaxInlineSize:ip MaxJNILocalCapacity:ip MaxJavaStackTraceDepth:ip \
MaxJumpTableSize:ip MaxJumpTableSparseness:ip MaxLabelRootDepth:ip MaxLoopPad:ip MaxMetaspaceExpansion:up \
MaxMetaspaceFreeRatio:up MaxMetaspaceSize:up MaxNewSize:up MaxNodeLimit:ip MaxRAM:up MaxRAMFraction:up \
MaxRAMPercentage:fp MaxRecursiveInlineLevel:ip MaxTenuringThreshold:up MaxTrivialSize:ip MaxVectorSize:ip \
MetaspaceGuardAllocations:bd MetaspaceHandleDeallocations:bd MetaspaceReclaimPolicy:sp MetaspaceSize:up \
MethodFlushing:bp MinHeapDeltaBytes:up MinHeapFreeRatio:up MinHeapSize:up MinInliningThreshold:ip \
MinJumpTableSize:ip MinMetaspaceExpansion:up MinMetaspaceFreeRatio:up MinPassesBeforeFlush:id \
MinRAMFraction:up MinSurvivorRatio:up MinTLABSize:up MonitorDeflationMax:id \
MonitorUnlinkBatch:id MonitorUsedDeflationThreshold:id MultiArrayExpandLimit:ip NUMAChunkResizeWeight:up \
NUMAInterleaveGranularity:up NUMAPageScanRate:up NUMASpaceResizeRate:up NUMAStats:bp NativeMemoryTracking:sp \
NeverActAsServerClassMachine:bp NeverTenure:bp NewRatio:up NewSize:up NewSizeThreadIncrease:up \
NmethodSweepActivity:ip NoAsyncDeflationProgressMax:ud NodeLimitFudgeFactor:ip NonNMethodCodeHeapSize:up \
NonProfiledCodeHeapSize:up NumberOfLoopInstrToAlign:ip ObjectAlignmentInBytes:ip ObjectCountCutOffPercent:fx \
OldPLABSize:up OldSize:up OmitStackTraceInFastThrow:bp OnError:sp OnOutOfMemoryError:sp \
OnStackReplacePercentage:ip OptimizeExpensiveOps:bd OptimizeFill:bp OptimizePtrCompare:bp \
OptimizeStringConcat:bp OptoBundling:bp OptoLoopAlignment:ip OptoRegScheduling:bp OptoScheduling:bp \
PLABWeight:up PSChunkLargeArrays:bp ParGCArrayScanChunk:ip ParallelGCBufferWastePct:up ParallelGCThreads:up \
ParallelOldDeadWoodLimiterMean:up ParallelOldDeadWoodLimiterStdDev:up ParallelRefProcBalancingEnabled:bp \
ParallelRefProcEnabled:bp PartialPeelAtUnsignedTests:bp PartialPeelLoop:bp PartialPeelNewPhiDelta:ip \
PauseAtExit:bd PauseAtStartup:bd PauseAtStartupFile:sd PausePadding:up PerBytecodeRecompilationCutoff:ip \
PerBytecodeTrapLimit:ip PerMethodRecompilationCutoff:ip PerMethodSpecTrapLimit:ix PerMethodTrapLimit:ip \
PerfAllowAtExitRegistration:bp PerfBypassFileSystemCheck:bp PerfDataMemorySize:ip \
PerfDataSamplingInterval:ip PerfDataSaveFile:sp PerfDataSaveToFile:bp PerfDisableSharedMem:bp \
PerfMaxStringConstLength:ip PostLoopMultiversioning:bx PreTouchParallelChunkSize:up \
PreferContainerQuotaForCPUCount:bp PreferInterpreterNativeStubs:bp PrefetchCopyIntervalInBytes:ip \
PrefetchFieldsAhead:ip PrefetchScanIntervalInBytes:ip PreserveAllAnnotations:bp PreserveFramePointer:bp \
PretenureSizeThreshold:up PrintAdapterHandlers:bd PrintAssembly:bd PrintAssemblyOptions:sd \
PrintBiasedLockingStatistics:bd PrintBootstrap:bx PrintClassHistogram:bp PrintCodeCache:bp \
PrintCodeCacheOnCompilation:bp PrintCodeHeapAnalytics:bd PrintCommandLineFlags:bp PrintCompilation2:bd \
PrintCompilation:bp PrintConcurrentLocks:bp PrintExtendedThreadInfo:bp PrintFlagsFinal:bp \
PrintFlagsInitial:bp PrintFlagsRanges:bp PrintGC:bp PrintGCDetails:bp PrintHeapAtSIGBREAK:bp \
PrintInlining:bd PrintInterpreter:bd PrintIntrinsics:bd PrintMetaspaceStatisticsAtExit:bd PrintMethodData:bd \
PrintMethodFlushingStatistics:bd PrintMethodHandleStubs:bd PrintNMTStatistics:bd PrintNMethods:bd \
PrintNativeNMethods:bd PrintOptoAssembly:bd PrintPreciseBiasedLockingStatistics:bd \
PrintPreciseRTMLockingStatistics:bd PrintSharedArchiveAndExit:bp PrintSharedDictionary:bp \
PrintSignatureHandlers:bd PrintStringTableStatistics:bp PrintStubCode:bd PrintTieredEvents:bp \
PrintTouchedMethodsAtExit:bd PrintVMOptions:bp PrintWarnings:bp ProcessDistributionStride:up \
ProfileDynamicTypes:bd ProfileInterpreter:bp ProfileMaturityPercentage:ip ProfiledCodeHeapSize:up \
PromotedPadding:up QueuedAllocationWarningCount:up RTMAbortRatio:ix RTMAbortThreshold:ix \
RTMLockingCalculationDelay:ix RTMLockingThreshold:ix RTMRetryCount:ip RTMSpinLoopCount:ix \
RTMTotalCountIncrRate:ix RangeCheckElimination:bp ReassociateInvariants:bp RecordDynamicDumpInfo:bp \
ReduceBulkZeroing:bp ReduceFieldZeroing:bp ReduceInitialCardMarks:bp ReduceNumberOfCompilerThreads:bd \
ReduceSignalUsage:bp RefDiscoveryPolicy:ip ReferencesPerThread:ux RegisterFinalizersAtInit:bp \
RelaxAccessControlCheck:bp RepeatCompilation:id ReplayDataFile:sp RequireSharedSpaces:bp \
ReservedCodeCacheSize:up ResizePLAB:bp ResizeTLAB:bp RestoreMXCSROnJNICalls:bp RestrictContended:bp \
RestrictReservedStack:bp RewriteBytecodes:bp RewriteFrequentPairs:bp SafepointALot:bd SafepointTimeout:bp \
SafepointTimeoutDelay:ip ScavengeBeforeFullGC:bp ScavengeRootsInCode:id SegmentedCodeCache:bp \
SelfDestructTimer:ip SerializeVMOutput:bd SharedArchiveConfigFile:sp SharedArchiveFile:sp \
SharedBaseAddress:up SharedClassListFile:sp SharedSymbolTableBucketSize:up ShenandoahAdaptiveDecayFactor:fx \
ShenandoahAdaptiveInitialConfidence:fx ShenandoahAdaptiveInitialSpikeThreshold:fx \
ShenandoahAdaptiveSampleFrequencyHz:ux ShenandoahAdaptiveSampleSizeSeconds:ux ShenandoahAllocFailureALot:bd \
ShenandoahAllocSpikeFactor:ux ShenandoahAllocationThreshold:ux ShenandoahAlwaysClearSoftRefs:bx \
ShenandoahCASBarrier:bd ShenandoahCloneBarrier:bd ShenandoahControlIntervalAdjustPeriod:ux \
ShenandoahControlIntervalMax:ux ShenandoahControlIntervalMin:ux ShenandoahCriticalFreeThreshold:ux \
ShenandoahDegeneratedGC:bd ShenandoahElasticTLAB:bd ShenandoahEvacReserve:ux \
ShenandoahEvacReserveOverflow:bx ShenandoahEvacWaste:fx ShenandoahFullGCThreshold:ux \
ShenandoahGCHeuristics:sp ShenandoahGCMode:sp ShenandoahGarbageThreshold:ux \
ShenandoahGuaranteedGCInterval:ux ShenandoahHumongousMoves:bd ShenandoahHumongousThreshold:ix \
ShenandoahIUBarrier:bd ShenandoahImmediateThreshold:ux ShenandoahImplicitGCInvokesConcurrent:bx \
ShenandoahInitFreeThreshold:ux ShenandoahLearningSteps:ux ShenandoahLoadRefBarrier:bd \
ShenandoahLoopOptsAfterExpansion:bd ShenandoahMarkLoopStride:ux ShenandoahMarkScanPrefetch:ix \
ShenandoahMaxRegionSize:ux ShenandoahMaxSATBBufferFlushes:ux ShenandoahMinFreeThreshold:ux \
ShenandoahMinRegionSize:ux ShenandoahNMethodBarrier:bd ShenandoahOOMDuringEvacALot:bd ShenandoahPacing:bx \
ShenandoahPacingCycleSlack:ux ShenandoahPacingIdleSlack:ux ShenandoahPacingMaxDelay:ux \
ShenandoahPacingSurcharge:fx ShenandoahParallelRegionStride:ux ShenandoahRegionSampling:bx \
ShenandoahRegionSamplingRate:ix ShenandoahRegionSize:ux ShenandoahSATBBarrier:bd ShenandoahSATBBufferSize:ux \
ShenandoahSelfFixing:bd ShenandoahStackWatermarkBarrier:bd ShenandoahSuspendibleWorkers:bx \
ShenandoahTargetNumRegions:ux ShenandoahUncommit:bx ShenandoahUncommitDelay:ux \
ShenandoahUnloadClassesFrequency:ux ShenandoahVerify:bd ShenandoahVerifyLevel:id \
ShowCodeDetailsInExceptionMessages:bp ShowHiddenFrames:bd ShowMessageBoxOnError:bp ShowRegistersOnAssert:bd \
ShrinkHeapInSteps:bp SoftMaxHeapSize:up SoftRefLRUPolicyMSPerMB:ip SpecTrapLimitExtraEntries:ix \
SpecialArraysEquals:bd SpecialEncodeISOArray:bd SpecialStringCompareTo:bd SpecialStringEquals:bd \
SpecialStringIndexOf:bd SplitIfBlocks:bp StackRedPages:ip StackReservedPages:ip StackShadowPages:ip \
StackTraceInThrowable:bp StackYellowPages:ip StartAggressiveSweepingAt:up StartAttachListener:bp \
StartFlightRecording:sp StressCCP:bd StressCodeAging:bd StressGCM:bd StressIGVN:bd StressLCM:bd \
StressLdcRewrite:bd StressSeed:ud StringDeduplicationAgeThreshold:up \
StringDeduplicationCleanupDeadMinimum:ux StringDeduplicationCleanupDeadPercent:ix \
StringDeduplicationGrowTableLoad:fx StringDeduplicationHashSeed:ud StringDeduplicationInitialTableSize:ux \
StringDeduplicationResizeALot:bd StringDeduplicationShrinkTableLoad:fx StringDeduplicationTargetTableLoad:fx \
StringTableSize:up SuperWordLoopUnrollAnalysis:bp SuperWordReductions:bp SuppressFatalErrorMessage:bp \
SurvivorPadding:up SurvivorRatio:up SweeperThreshold:fp SymbolTableSize:ux THPStackMitigation:bd \
TLABAllocationWeight:up TLABRefillWasteFraction:up TLABSize:up TLABStats:bp TLABWasteIncrement:up \
TLABWasteTargetPercent:up TargetPLABWastePct:up TargetSurvivorRatio:up TenuredGenerationSizeIncrement:up \
TenuredGenerationSizeSupplement:up TenuredGenerationSizeSupplementDecay:up ThreadPriorityPolicy:ip \
ThreadPriorityVerbose:bp ThreadStackSize:ip ThresholdTolerance:up Tier0BackedgeNotifyFreqLog:ip \
Tier0Delay:id Tier0InvokeNotifyFreqLog:ip Tier0ProfilingStartPercentage:ip Tier23InlineeNotifyFreqLog:ip \
Tier2BackEdgeThreshold:ip Tier2BackedgeNotifyFreqLog:ip Tier2CompileThreshold:ip Tier2InvokeNotifyFreqLog:ip \
Tier3BackEdgeThreshold:ip Tier3BackedgeNotifyFreqLog:ip Tier3CompileThreshold:ip Tier3DelayOff:ip \
Tier3DelayOn:ip Tier3InvocationThreshold:ip Tier3InvokeNotifyFreqLog:ip Tier3LoadFeedback:ip \
Tier3MinInvocationThreshold:ip Tier4BackEdgeThreshold:ip Tier4CompileThreshold:ip \
Tier4InvocationThreshold:ip Tier4LoadFeedback:ip Tier4MinInvocationThreshold:ip TieredCompilation:bp \
TieredCompileTaskTimeout:ip TieredOldPercentage:id TieredRateUpdateMaxTime:ip TieredRateUpdateMinTime:ip \
TieredStopAtLevel:ip TimeLinearScan:bp TimerSlack:ix TraceCompilerThreads:bd TraceJVMTI:sp TraceSpilling:bd \
TraceTypeProfile:bd TrackedInitializationLimit:ip TrapBasedNullChecks:bp TrapBasedRangeChecks:bp \
TrimNativeHeapInterval:up TrustFinalNonStaticFields:bx TypeProfileArgsLimit:ip TypeProfileLevel:up \
TypeProfileMajorReceiverPercent:ip TypeProfileParmsLimit:ip TypeProfileWidth:ip \
UnguardOnExecutionViolation:ip UnlockDiagnosticVMOptions:bd UnlockExperimentalVMOptions:bx UseAES:bp \
UseAESCTRIntrinsics:bd UseAESIntrinsics:bd UseAVX:ip UseAdaptiveGenerationSizePolicyAtMajorCollection:bp \
UseAdaptiveGenerationSizePolicyAtMinorCollection:bp UseAdaptiveNUMAChunkSizing:bp \
UseAdaptiveSizeDecayMajorGCCost:bp UseAdaptiveSizePolicy:bp UseAdaptiveSizePolicyFootprintGoal:bp \
UseAdaptiveSizePolicyWithSystemGC:bp UseAddressNop:bp UseAdler32Intrinsics:bd UseBASE64Intrinsics:bp \
UseBMI1Instructions:bp UseBMI2Instructions:bp UseBiasedLocking:bp UseBimorphicInlining:bp \
UseBootstrapCallInfo:id UseCLMUL:bp UseCMoveUnconditionally:bp UseCRC32CIntrinsics:bd UseCRC32Intrinsics:bd \
UseCharacterCompareIntrinsics:bd UseCodeAging:bp UseCodeCacheFlushing:bp UseCompiler:bp \
UseCompressedClassPointers:bp UseCompressedOops:bp UseCondCardMark:bp UseContainerCpuShares:bp \
UseContainerSupport:bp UseCopySignIntrinsic:bd UseCountLeadingZerosInstruction:bp \
UseCountTrailingZerosInstruction:bp UseCountedLoopSafepoints:bp UseCounterDecay:bp UseCpuAllocPath:bd \
UseCriticalCompilerThreadPriority:bx UseCriticalJavaThreadPriority:bx UseDivMod:bp \
UseDynamicNumberOfCompilerThreads:bp UseDynamicNumberOfGCThreads:bp UseEmptySlotsInSupers:bp UseEpsilonGC:bx \
UseFMA:bp UseFPUForSpilling:bp UseFastJNIAccessors:bp UseFastStosb:bp UseFastUnorderedTimeStamps:bx \
UseG1GC:bp UseGCOverheadLimit:bp UseGHASHIntrinsics:bd UseHeavyMonitors:bp UseHugeTLBFS:bp UseIncDec:bd \
UseInlineCaches:bp UseInlineDepthForSpeculativeTypes:bd UseInterpreter:bp UseJVMCICompiler:bx \
UseJVMCINativeLibrary:bx UseJumpTables:bp UseKNLSetting:bd UseLargePages:bp \
UseLargePagesIndividualAllocation:bp UseLibmIntrinsic:bd UseLinuxPosixThreadCPUClocks:bp UseLoopCounter:bp \
UseLoopInvariantCodeMotion:bp UseLoopPredicate:bp UseMD5Intrinsics:bd UseMathExactIntrinsics:bd \
UseMaximumCompactionOnSystemGC:bp UseMontgomeryMultiplyIntrinsic:bd UseMontgomerySquareIntrinsic:bd \
UseMulAddIntrinsic:bd UseMultiplyToLenIntrinsic:bd UseNUMA:bp UseNUMAInterleaving:bp UseNewCode2:bd \
UseNewCode3:bd UseNewCode:bd UseNewLongLShift:bp UseNotificationThread:bp UseOnStackReplacement:bp \
UseOnlyInlinedBimorphic:bp UseOprofile:bp UseOptoBiasInlining:bp UsePSAdaptiveSurvivorSizePolicy:bp \
UseParallelGC:bp UsePerfData:bp UsePopCountInstruction:bp UseProfiledLoopPredicate:bp UseRTMDeopt:bp \
UseRTMForStackLocks:bx UseRTMLocking:bp UseRTMXendForLockBusy:bx UseSHA1Intrinsics:bd UseSHA256Intrinsics:bd \
UseSHA3Intrinsics:bd UseSHA512Intrinsics:bd UseSHA:bp UseSHM:bp UseSSE42Intrinsics:bp UseSSE:ip \
UseSerialGC:bp UseSharedSpaces:bp UseShenandoahGC:bp UseSignalChaining:bp UseSignumIntrinsic:bd \
UseSquareToLenIntrinsic:bd UseStoreImmI16:bp UseStringDeduplication:bp UseSubwordForMaxVector:bp \
UseSuperWord:bp UseSwitchProfiling:bd UseTLAB:bp UseThreadPriorities:bp UseTransparentHugePages:bp \
UseTypeProfile:bp UseTypeSpeculation:bp UseUnalignedAccesses:bd UseUnalignedLoadStores:bp UseVectorCmov:bp \
UseVectorMacroLogic:bd UseVectorStubs:bx UseVectorizedMismatchIntrinsic:bd UseVtableBasedCHA:bd \
UseXMMForArrayCopy:bp UseXMMForObjInit:bp UseXmmI2D:bp UseXmmI2F:bp UseXmmLoadAndClearUpper:bp \
UseXmmRegToRegMoveAll:bp UseZGC:bp VMThreadPriority:ip VMThreadStackSize:ip ValueMapInitialSize:ip \
ValueMapMaxLoopSize:ip ValueSearchLimit:ip VerifyAdapterCalls:bd VerifyAfterGC:bd VerifyArchivedFields:id \
VerifyBeforeExit:bd VerifyBeforeGC:bd VerifyBeforeIteration:bd VerifyDuringGC:bd VerifyDuringStartup:bd \
VerifyGCLevel:id VerifyGCStartAt:ud VerifyGCType:sd VerifyMethodHandles:bd VerifyObjectStartArray:bd \
VerifyReceiverTypes:bd VerifyRememberedSets:bd VerifySharedSpaces:bp VerifyStringTableAtExit:bd \
VerifySubSet:sd WhiteBoxAPI:bd WorkStealingHardSpins:ux WorkStealingSleepMillis:ux \
WorkStealingSpinToYieldRatio:ux WorkStealingYieldsBeforeSleep:ux YoungGenerationSizeIncrement:up \
YoungGenerationSizeSupplement:up YoungGenerationSizeSupplementDecay:up YoungPLABSize:up \
ZAllocationSpikeTolerance:fp ZCollectionInterval:fp ZFragmentationLimit:fp ZMarkStackSpaceLimit:up \
ZProactive:bp ZStatisticsInterval:ud ZStressRelocateInPlace:bd ZUncommit:bp ZUncommitDelay:up \
ZVerifyForwarding:bd ZVerifyMarking:bd ZVerifyObjects:bd ZVerifyRoots:bd ZVerifyViews:bd ZeroTLAB:bp \
hashCode:ix \
";
