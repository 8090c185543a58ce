//! Types and ranges of the numeric -XX flags that OpenJDK 17's own VM knows (generated from its listing of
//! flag ranges).
//!
//! Invariant: a value that HotSpot refuses is refused here as well, whether or not the flag means
//! something in this VM.

/// `Name:type:low:high` separated by white space, ascending; no bounds where the type's own are meant.
const ROWS: &str = "\
AVX3Threshold:int:0:2147483647 AbortVMOnVMOperationTimeoutDelay:intx:0:9223372036854775807 \
ActiveProcessorCount:int:: AdaptiveSizeDecrementScaleFactor:uintx:1:18446744073709551615 \
AdaptiveSizeMajorGCDecayTimeScale:uintx:: AdaptiveSizePolicyCollectionCostMargin:uintx:0:100 \
AdaptiveSizePolicyInitializingSteps:uintx:: AdaptiveSizePolicyOutputInterval:uintx:: \
AdaptiveSizePolicyWeight:uintx:0:100 AdaptiveSizeThroughPutPolicy:uintx:0:1 AdaptiveTimeWeight:uintx:0:100 \
AliasLevel:intx:0:3 AllocateInstancePrefetchLines:intx:1:64 AllocatePrefetchDistance:intx:: \
AllocatePrefetchInstr:intx:: AllocatePrefetchLines:intx:1:64 AllocatePrefetchStepSize:intx:1:512 \
AllocatePrefetchStyle:intx:0:3 ArchiveRelocationMode:intx:0:2 ArrayAllocatorMallocLimit:size_t:: \
ArrayCopyLoadStoreMaxElem:intx:0:9223372036854775807 ArrayOperationPartialInlineSize:intx:0:64 \
AsyncDeflationInterval:intx:0:2147483647 AsyncLogBufferSize:size_t:102400:52428800 \
AutoBoxCacheMax:intx:0:2147483647 AvgMonitorsPerThreadEstimate:size_t:: BCEATraceLevel:intx:0:3 \
BaseFootPrintEstimate:size_t:: BiasedLockingBulkRebiasThreshold:intx:0:9223372036854775807 \
BiasedLockingBulkRevokeThreshold:intx:0:9223372036854775807 BiasedLockingDecayTime:intx:500:9223372036854775807 \
BiasedLockingStartupDelay:intx:0:2147483640 BlockLayoutMinDiamondPercentage:intx:0:100 \
C1InlineStackLimit:intx:0:2147483647 C1MaxInlineLevel:intx:0:2147483647 C1MaxInlineSize:intx:0:2147483647 \
C1MaxRecursiveInlineLevel:intx:0:2147483647 C1MaxTrivialSize:intx:0:2147483647 CICompilerCount:intx:0:2147483647 \
CodeCacheExpansionSize:uintx:32768:18446744073709551615 CodeCacheMinBlockLength:uintx:1:100 \
CodeCacheSegmentSize:uintx:1:1024 CompileThreshold:intx:: \
CompileThresholdScaling:double:0.000:179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368.000 \
CompilerDirectivesLimit:int:: CompilerThreadPriority:intx:-2147483648:2147483647 \
CompilerThreadStackSize:intx:0:9007199254740991 CompressedClassSpaceSize:size_t:1048576:3221225472 \
ConcGCThreads:uint:: ConditionalMoveLimit:intx:0:2147483647 ContendedPaddingWidth:intx:0:8192 \
DiagnoseSyncOnValueBasedClasses:intx:0:2 DominatorSearchLimit:intx:0:2147483647 \
EliminateAllocationArraySizeLimit:intx:0:2147483647 EliminateAllocationFieldsLimit:intx:0:2147483647 \
EpsilonMaxTLABSize:size_t:1:9223372036854775807 EpsilonMinHeapExpand:size_t:1:9223372036854775807 \
EpsilonPrintHeapSteps:size_t:0:9223372036854775807 EpsilonTLABDecayTime:size_t:1:9223372036854775807 \
EpsilonTLABElasticity:double:1.000:179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368.000 \
EpsilonUpdateCountersStep:size_t:1:9223372036854775807 ErgoHeapSizeLimit:size_t:: \
ErrorLogPrintCodeLimit:int:0:10 ErrorLogTimeout:uint64_t:0:9223372036854775 \
EscapeAnalysisTimeout:double:0.000:179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368.000 \
FreqInlineSize:intx:0:2147483647 G1AdaptiveIHOPNumInitialSamples:size_t:1:9223372036854775807 \
G1ConcMarkStepDurationMillis:double:1.000:179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368.000 \
G1ConcRSHotCardLimit:uintx:0:255 G1ConcRSLogCacheSize:size_t:0:27 \
G1ConcRefinementGreenZone:size_t:0:9223372036854775807 G1ConcRefinementRedZone:size_t:0:9223372036854775807 \
G1ConcRefinementServiceIntervalMillis:uintx:0:2147483647 G1ConcRefinementThreads:uint:0:268435455 \
G1ConcRefinementThresholdStep:size_t:1:18446744073709551615 \
G1ConcRefinementYellowZone:size_t:0:9223372036854775807 G1ConfidencePercent:uintx:0:100 \
G1EagerReclaimRemSetThreshold:uint:: G1ExpandByPercentOfAvailable:intx:0:100 G1HeapRegionSize:size_t:0:33554432 \
G1HeapWastePercent:uintx:0:100 G1LastPLABAverageOccupancy:double:0.001:100.000 G1MaxNewSizePercent:uintx:0:100 \
G1MixedGCCountTarget:uintx:: G1MixedGCLiveThresholdPercent:uintx:0:100 G1NewSizePercent:uintx:0:100 \
G1OldCSetRegionThresholdPercent:uintx:0:100 G1PeriodicGCInterval:uintx:: \
G1PeriodicGCSystemLoadThreshold:double:0.000:18446744073709551616.000 G1RSetRegionEntries:intx:0:268435455 \
G1RSetSparseRegionEntries:intx:0:268435455 G1RSetUpdatingPauseTimePercent:intx:0:100 \
G1RebuildRemSetChunkSize:size_t:4096:33554432 G1RefProcDrainInterval:uint:1:2147483647 \
G1ReservePercent:uintx:0:50 G1SATBBufferEnqueueingThresholdPercent:uintx:0:100 \
G1SATBBufferSize:size_t:1:18446744073709551615 G1SummarizeRSetStatsPeriod:intx:0:9223372036854775807 \
G1UpdateBufferSize:size_t:1:1073741824 GCDrainStackTargetSize:uintx:0:4294967295 GCHeapFreeLimit:uintx:0:100 \
GCLockerEdenExpansionPercent:uintx:0:100 GCLockerRetryAllocationCount:uintx:: GCPauseIntervalMillis:uintx:: \
GCTimeLimit:uintx:0:100 GCTimeRatio:uintx:0:4294967295 GuaranteedAsyncDeflationInterval:intx:0:2147483647 \
GuaranteedSafepointInterval:intx:0:2147483647 HandshakeTimeout:uint:: HeapBaseMinAddress:size_t:: \
HeapDumpGzipLevel:intx:0:9 HeapFirstMaximumCompactionCount:uintx:: HeapMaximumCompactionInterval:uintx:: \
HeapSearchSteps:uintx:1:18446744073709551615 HeapSizePerGCThread:size_t:4096:18446744073709551615 \
HotMethodDetectionLimit:intx:1:2147483647 IncreaseFirstTierCompileThresholdAt:uintx:0:99 \
InitArrayShortSize:intx:0:9223372036854775807 InitialCodeCacheSize:uintx:4096:18446744073709551615 \
InitialHeapSize:size_t:: InitialRAMFraction:uintx:1:18446744073709551615 \
InitialRAMPercentage:double:0.000:100.000 InitialSurvivorRatio:uintx:: InitialTenuringThreshold:uintx:0:16 \
InitiatingHeapOccupancyPercent:uintx:0:100 InlineCacheBufferSize:size_t:: InlineFrequencyCount:intx:0:2147483647 \
InlineSmallCode:intx:0:2147483647 InteriorEntryAlignment:intx:: InterpreterProfilePercentage:intx:0:100 \
JVMCICounterSize:intx:0:1000000 JVMCIEventLogLevel:intx:0:4 JVMCIHostThreads:intx:1:2147483647 \
JVMCINMethodSizeLimit:intx:0:2147483647 JVMCIThreads:intx:1:2147483647 JVMCITraceLevel:intx:0:4 \
JavaPriority10_To_OSPriority:intx:-1:127 JavaPriority1_To_OSPriority:intx:-1:127 \
JavaPriority2_To_OSPriority:intx:-1:127 JavaPriority3_To_OSPriority:intx:-1:127 \
JavaPriority4_To_OSPriority:intx:-1:127 JavaPriority5_To_OSPriority:intx:-1:127 \
JavaPriority6_To_OSPriority:intx:-1:127 JavaPriority7_To_OSPriority:intx:-1:127 \
JavaPriority8_To_OSPriority:intx:-1:127 JavaPriority9_To_OSPriority:intx:-1:127 \
LargePageHeapSizeThreshold:size_t:: LargePageSizeInBytes:size_t:: LiveNodeCountInliningCutoff:intx:0:536870911 \
LogEventsBufferEntries:uintx:1:1048576 LoopMaxUnroll:intx:0:2147483647 LoopOptsCount:intx:5:43 \
LoopPercentProfileLimit:intx:10:100 LoopStripMiningIter:uintx:0:4294967295 \
LoopStripMiningIterShortLoop:uintx:0:4294967295 LoopUnrollLimit:intx:0:536870911 LoopUnrollMin:intx:0:2147483647 \
MallocMaxTestWords:uintx:: MarkStackSize:size_t:1:2147483646 MarkStackSizeMax:size_t:1:2147483646 \
MarkSweepAlwaysCompactCount:uint:1:4294967295 MarkSweepDeadRatio:uintx:0:100 \
MaxBCEAEstimateLevel:intx:0:2147483647 MaxBCEAEstimateSize:intx:0:2147483647 \
MaxDirectMemorySize:uint64_t:0:9223372036854775807 MaxGCMinorPauseMillis:uintx:: \
MaxGCPauseMillis:uintx:1:18446744073709551614 MaxHeapFreeRatio:uintx:0:100 MaxHeapSize:size_t:: \
MaxInlineLevel:intx:0:2147483647 MaxInlineSize:intx:0:2147483647 MaxJNILocalCapacity:intx:: \
MaxJavaStackTraceDepth:intx:0:1073741823 MaxJumpTableSize:intx:0:9223372036854775807 \
MaxJumpTableSparseness:intx:0:2305843009213693951 MaxLabelRootDepth:intx:100:2147483647 \
MaxLoopPad:intx:0:2147483647 MaxMetaspaceExpansion:size_t:: MaxMetaspaceFreeRatio:uintx:0:100 \
MaxMetaspaceSize:size_t:: MaxNewSize:size_t:: MaxNodeLimit:intx:1000:715827882 MaxRAM:uint64_t:: \
MaxRAMFraction:uintx:1:18446744073709551615 MaxRAMPercentage:double:0.000:100.000 \
MaxRecursiveInlineLevel:intx:0:2147483647 MaxTenuringThreshold:uintx:0:16 MaxTrivialSize:intx:0:2147483647 \
MaxVectorSize:intx:0:2147483647 MetaspaceSize:size_t:: MinHeapDeltaBytes:size_t:: MinHeapFreeRatio:uintx:0:100 \
MinHeapSize:size_t:: MinInliningThreshold:intx:0:2147483647 MinJumpTableSize:intx:0:9223372036854775807 \
MinMetaspaceExpansion:size_t:: MinMetaspaceFreeRatio:uintx:0:99 MinPassesBeforeFlush:intx:0:9223372036854775807 \
MinRAMFraction:uintx:1:18446744073709551615 MinRAMPercentage:double:0.000:100.000 \
MinSurvivorRatio:uintx:3:18446744073709551615 MinTLABSize:size_t:1:9223372036854775807 \
MonitorDeflationMax:intx:1024:2147483647 MonitorUnlinkBatch:intx:1:2147483647 \
MonitorUsedDeflationThreshold:intx:0:100 MultiArrayExpandLimit:intx:0:2147483647 \
NUMAChunkResizeWeight:uintx:0:100 NUMAInterleaveGranularity:size_t:4096:8796093022208 NUMAPageScanRate:uintx:: \
NUMASpaceResizeRate:size_t:: NewRatio:uintx:0:18446744073709551614 NewSize:size_t:: \
NewSizeThreadIncrease:size_t:: NmethodSweepActivity:intx:0:2000 NoAsyncDeflationProgressMax:uintx:: \
NodeLimitFudgeFactor:intx:: NonNMethodCodeHeapSize:uintx:4096:18446744073709551615 \
NonProfiledCodeHeapSize:uintx:: NumberOfLoopInstrToAlign:intx:0:2147483647 ObjectAlignmentInBytes:intx:8:256 \
ObjectCountCutOffPercent:double:0.000:100.000 OldPLABSize:size_t:: OldSize:size_t:: \
OnStackReplacePercentage:intx:: OptoLoopAlignment:intx:1:16 PLABWeight:uintx:0:100 \
ParGCArrayScanChunk:int:1:715827882 ParallelGCBufferWastePct:uintx:0:100 ParallelGCThreads:uint:: \
ParallelOldDeadWoodLimiterMean:size_t:0:100 ParallelOldDeadWoodLimiterStdDev:size_t:0:100 \
PartialPeelNewPhiDelta:intx:0:2147483647 PausePadding:uintx:0:4294967295 \
PerBytecodeRecompilationCutoff:intx:-1:9223372036854775807 PerBytecodeTrapLimit:intx:0:2147483647 \
PerMethodRecompilationCutoff:intx:-1:9223372036854775807 PerMethodSpecTrapLimit:intx:0:2147483647 \
PerMethodTrapLimit:intx:0:2147483647 PerfDataMemorySize:intx:128:2097152 \
PerfDataSamplingInterval:intx:10:2147483647 PerfMaxStringConstLength:intx:32:32768 \
PreTouchParallelChunkSize:size_t:4096:9223372036854775807 PrefetchCopyIntervalInBytes:intx:-1:2147483647 \
PrefetchFieldsAhead:intx:-1:2147483647 PrefetchScanIntervalInBytes:intx:-1:2147483647 \
PretenureSizeThreshold:size_t:: ProcessDistributionStride:uintx:0:4294967295 \
ProfileMaturityPercentage:intx:0:100 ProfiledCodeHeapSize:uintx:: PromotedPadding:uintx:0:4294967295 \
QueuedAllocationWarningCount:uintx:: RTMAbortRatio:int:0:100 RTMAbortThreshold:int:0:2147483647 \
RTMLockingCalculationDelay:intx:: RTMLockingThreshold:int:0:2147483647 RTMRetryCount:int:0:2147483647 \
RTMSpinLoopCount:int:0:2147483647 RTMTotalCountIncrRate:int:1:2147483647 RefDiscoveryPolicy:intx:0:1 \
ReferencesPerThread:size_t:: RepeatCompilation:intx:0:2147483647 \
ReservedCodeCacheSize:uintx:4096:18446744073709551615 SafepointTimeoutDelay:intx:0:9223372036854 \
ScavengeRootsInCode:intx:0:2 SelfDestructTimer:intx:0:9223372036854775807 SharedBaseAddress:size_t:: \
SharedSymbolTableBucketSize:uintx:2:246 ShenandoahAdaptiveDecayFactor:double:0.000:1.000 \
ShenandoahAdaptiveInitialConfidence:double:: ShenandoahAdaptiveInitialSpikeThreshold:double:: \
ShenandoahAdaptiveSampleFrequencyHz:uintx:: ShenandoahAdaptiveSampleSizeSeconds:uintx:: \
ShenandoahAllocSpikeFactor:uintx:0:100 ShenandoahAllocationThreshold:uintx:0:100 \
ShenandoahControlIntervalAdjustPeriod:uintx:: ShenandoahControlIntervalMax:uintx:: \
ShenandoahControlIntervalMin:uintx:: ShenandoahCriticalFreeThreshold:uintx:0:100 \
ShenandoahEvacReserve:uintx:1:100 ShenandoahEvacWaste:double:1.000:100.000 ShenandoahFullGCThreshold:uintx:: \
ShenandoahGarbageThreshold:uintx:0:100 ShenandoahGuaranteedGCInterval:uintx:: \
ShenandoahHumongousThreshold:intx:1:100 ShenandoahImmediateThreshold:uintx:0:100 \
ShenandoahInitFreeThreshold:uintx:0:100 ShenandoahLearningSteps:uintx:0:100 ShenandoahMarkLoopStride:uintx:: \
ShenandoahMarkScanPrefetch:intx:0:256 ShenandoahMaxRegionSize:size_t:: ShenandoahMaxSATBBufferFlushes:uintx:: \
ShenandoahMinFreeThreshold:uintx:0:100 ShenandoahMinRegionSize:size_t:: ShenandoahPacingCycleSlack:uintx:0:100 \
ShenandoahPacingIdleSlack:uintx:0:100 ShenandoahPacingMaxDelay:uintx:: \
ShenandoahPacingSurcharge:double:1.000:100.000 ShenandoahParallelRegionStride:uintx:: \
ShenandoahRegionSamplingRate:int:: ShenandoahRegionSize:size_t:: \
ShenandoahSATBBufferSize:size_t:1:18446744073709551615 ShenandoahTargetNumRegions:size_t:: \
ShenandoahUncommitDelay:uintx:: ShenandoahUnloadClassesFrequency:uintx:: ShenandoahVerifyLevel:intx:: \
SoftMaxHeapSize:size_t:: SoftRefLRUPolicyMSPerMB:intx:0:9223372036854775807 SpecTrapLimitExtraEntries:intx:: \
StackRedPages:intx:1:3 StackReservedPages:intx:0:11 StackShadowPages:intx:10:50 StackYellowPages:intx:2:7 \
StartAggressiveSweepingAt:uintx:0:100 StressSeed:uint:: StringDeduplicationAgeThreshold:uint:1:15 \
StringDeduplicationCleanupDeadMinimum:size_t:: StringDeduplicationCleanupDeadPercent:int:1:100 \
StringDeduplicationGrowTableLoad:double:0.100:1000.000 StringDeduplicationHashSeed:uint64_t:: \
StringDeduplicationInitialTableSize:size_t:1:1073741824 StringDeduplicationShrinkTableLoad:double:0.010:100.000 \
StringDeduplicationTargetTableLoad:double:0.010:1000.000 StringTableSize:uintx:128:16777216 \
SurvivorPadding:uintx:0:4294967295 SurvivorRatio:uintx:1:18446744073709551613 \
SweeperThreshold:double:0.000:100.000 SymbolTableSize:uintx:1024:16777216 TLABAllocationWeight:uintx:0:100 \
TLABRefillWasteFraction:uintx:1:4294967295 TLABSize:size_t:: TLABWasteIncrement:uintx:0:2147483647 \
TLABWasteTargetPercent:uintx:1:100 TargetPLABWastePct:uintx:1:100 TargetSurvivorRatio:uintx:0:100 \
TenuredGenerationSizeIncrement:uintx:0:100 TenuredGenerationSizeSupplement:uintx:0:100 \
TenuredGenerationSizeSupplementDecay:uintx:1:18446744073709551615 ThreadPriorityPolicy:intx:0:1 \
ThreadStackSize:intx:0:1048576 ThresholdTolerance:uintx:0:100 Tier0BackedgeNotifyFreqLog:intx:0:30 \
Tier0Delay:intx:0:2147483647 Tier0InvokeNotifyFreqLog:intx:0:30 Tier0ProfilingStartPercentage:intx:0:2147483647 \
Tier23InlineeNotifyFreqLog:intx:0:30 Tier2BackEdgeThreshold:intx:0:2147483647 \
Tier2BackedgeNotifyFreqLog:intx:0:30 Tier2CompileThreshold:intx:0:2147483647 Tier2InvokeNotifyFreqLog:intx:0:30 \
Tier3BackEdgeThreshold:intx:0:2147483647 Tier3BackedgeNotifyFreqLog:intx:0:30 \
Tier3CompileThreshold:intx:0:2147483647 Tier3DelayOff:intx:0:2147483647 Tier3DelayOn:intx:0:2147483647 \
Tier3InvocationThreshold:intx:0:2147483647 Tier3InvokeNotifyFreqLog:intx:0:30 \
Tier3LoadFeedback:intx:0:2147483647 Tier3MinInvocationThreshold:intx:0:2147483647 \
Tier4BackEdgeThreshold:intx:0:2147483647 Tier4CompileThreshold:intx:0:2147483647 \
Tier4InvocationThreshold:intx:0:2147483647 Tier4LoadFeedback:intx:0:2147483647 \
Tier4MinInvocationThreshold:intx:0:2147483647 TieredCompileTaskTimeout:intx:0:9223372036854775807 \
TieredOldPercentage:intx:0:2147483647 TieredRateUpdateMaxTime:intx:0:9223372036854775807 \
TieredRateUpdateMinTime:intx:0:9223372036854775807 TieredStopAtLevel:intx:0:4 TimerSlack:intx:: \
TrackedInitializationLimit:intx:0:65535 TrimNativeHeapInterval:uint:: TypeProfileArgsLimit:intx:0:16 \
TypeProfileLevel:uintx:: TypeProfileMajorReceiverPercent:intx:0:100 TypeProfileParmsLimit:intx:-1:64 \
TypeProfileWidth:intx:0:8 UnguardOnExecutionViolation:intx:0:2 UseAVX:intx:0:99 UseBootstrapCallInfo:int:: \
UseSSE:intx:0:99 VMThreadPriority:intx:-1:127 VMThreadStackSize:intx:0:9007199254740991 \
ValueMapInitialSize:intx:1:32768 ValueMapMaxLoopSize:intx:0:128 ValueSearchLimit:intx:0:2147483647 \
VerifyArchivedFields:int:0:2 VerifyGCLevel:intx:0:1 VerifyGCStartAt:uintx:: WorkStealingHardSpins:uintx:: \
WorkStealingSleepMillis:uintx:: WorkStealingSpinToYieldRatio:uintx:: WorkStealingYieldsBeforeSleep:uintx:: \
YoungGenerationSizeIncrement:uintx:0:100 YoungGenerationSizeSupplement:uintx:0:100 \
YoungGenerationSizeSupplementDecay:uintx:1:18446744073709551615 YoungPLABSize:size_t:: \
ZAllocationSpikeTolerance:double:: ZCollectionInterval:double:: ZFragmentationLimit:double:: \
ZMarkStackSpaceLimit:size_t:33554432:1099511627776 ZStatisticsInterval:uint:1:4294967295 ZUncommitDelay:uintx:: \
hashCode:intx::";

/// HotSpot's name of a flag's numeric type, and its range if that is narrower than the type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numeric {
    pub ty: &'static str,
    low: &'static str,
    high: &'static str,
}

/// The numeric flag of that name.
pub(super) fn find(name: &str) -> Option<Numeric> {
    ROWS.split_ascii_whitespace().find_map(|row| {
        let mut parts = row.split(':');
        if parts.next()? != name {
            return None;
        }
        Some(Numeric { ty: parts.next()?, low: parts.next()?, high: parts.next()? })
    })
}

impl Numeric {
    /// Err if the text is no value of the type; else what HotSpot says of a value outside of the range.
    pub fn check(self, name: &str, text: &str) -> Result<Option<String>, ()> {
        if self.ty == "double" {
            let v: f64 = text.parse().map_err(|_| ())?;
            if !v.is_finite() || text.starts_with('-') {
                return Err(());
            }
            let bounds = (self.low.parse::<f64>(), self.high.parse::<f64>());
            let (Ok(low), Ok(high)) = bounds else { return Ok(None) };
            let outside = v < low || v > high;
            return Ok(outside
                .then(|| format!("double {name}={v:.6} is outside the allowed range [ {low:.6} ... {high:.6} ]")));
        }
        let v = match text.strip_prefix('-') {
            Some(_) if self.ty.starts_with('u') || self.ty == "size_t" => return Err(()),
            Some(t) => -i128::from(super::parse_size(t).ok_or(())?),
            None => i128::from(super::parse_size(text).ok_or(())?),
        };
        let own: (i128, i128) = match self.ty {
            "int" => (i32::MIN.into(), i32::MAX.into()),
            "uint" => (0, u32::MAX.into()),
            "intx" => (i64::MIN.into(), i64::MAX.into()),
            _ => (0, u64::MAX.into()),
        };
        if v < own.0 || v > own.1 {
            return Err(());
        }
        let (Ok(low), Ok(high)) = (self.low.parse::<i128>(), self.high.parse::<i128>()) else { return Ok(None) };
        let outside = v < low || v > high;
        Ok(outside.then(|| format!("{} {name}={v} is outside the allowed range [ {low} ... {high} ]", self.ty)))
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    #[test]
    fn values_are_checked_by_type_and_range() {
        let check = |name: &str, v: &str| find(name).expect("a flag").check(name, v);
        assert_eq!(check("SurvivorRatio", "8"), Ok(None));
        let outside = check("SurvivorRatio", "0").expect("a number").expect("too small");
        assert_eq!(outside, "uintx SurvivorRatio=0 is outside the allowed range [ 1 ... 18446744073709551613 ]");
        assert!(check("SurvivorRatio", "x").is_err() && check("SurvivorRatio", "-1").is_err());
        let outside = check("MaxRAMPercentage", "200").expect("a number").expect("too large");
        assert_eq!(
            outside,
            "double MaxRAMPercentage=200.000000 is outside the allowed range [ 0.000000 ... 100.000000 ]"
        );
        assert!(find("UseSerialGC").is_none());
    }
}
