/* The monitor protocol as built in crates/monitors, under x86-TSO.
 *
 * Names follow the Rust code: announce, enter_queued, speculate, reattach, exit_contended, wake,
 * wait, notify_node, publish. Every thread has a store buffer; membarrier drains the buffers of
 * all threads one after the other, at some point each during the call. Atomic read-modify-writes
 * and the queue lock need an empty buffer of their thread, as on the processor.
 *
 * Shape (-D): NT threads, NO objects, NM records, ITER rounds of lock/unlock per thread or R0, R1,
 *   R2 rounds; any object in each round, or PLAN: thread 0 takes object 0 and 1 by turns with
 *   PLAN=0, object 0 with PLAN=1, where thread 1 takes 0 and 1 by turns and thread 2 object 1.
 * Features (-D): FENCED (no membarrier: fences on both sides), STICKY, NOTHROTTLE, WAIT (thread 0
 *   waits for a flag that thread 1 sets), TWOWAITERS (thread 2 as well; then thread 1 notifies all), TIMEOUT,
 *   INTERRUPT, HASHER (a reader of object 0's identity hash), LOCALOBJ (object 0 begins LOCAL to
 *   thread 0), SUSPEND (thread SUSPENDED, else NT-1, may be suspended until all others have ended).
 * Mutants (-D M_...): each leaves out one barrier, re-check or rule; tests/models/mutants.
 *
 * Checked: one owner per object (I1), the record serves the object (I2), a hash never changes
 * (I8), every thread ends (I6: an invalid end state is a stranded thread), at the end every record
 * is free or attached, unused and without a queue (I5, I7, I9), a notification is consumed exactly
 * once (I10).
 */
#ifndef NT
#define NT 2
#endif
#ifndef NO
#define NO 1
#endif
#ifndef NM
#define NM (NT+NO)
#endif
#ifndef ITER
#define ITER 1
#endif

#ifndef R0
#define R0 ITER
#endif
#ifndef R1
#define R1 ITER
#endif
#ifndef R2
#define R2 ITER
#endif
#define ROUNDS(t) (t==0 -> R0 : (t==1 -> R1 : R2))

/* ---- memory: lock words, then per record: state, owner, hash, guard ---- */
#define LW(o) (o)
#define ST_(m) (NO+(m))
#define OW(m) (NO+NM+(m))
#define HA(m) (NO+2*NM+(m))
#define GU(m) (NO+3*NM+(m))
#define NA (NO+4*NM)

/* lock word values: a record's number, or EMPTY, or a hash; LOCAL in each */
#define LOCAL 64
#define BODY(x) ((x)&63)
#define INFL(x) (BODY(x)<NM)
#define EMPTYW 30
#define HB 32
#define FRESH(o,t) (HB+(o)+NO*(t))

/* owner values: UNOWNED, thread t as t+1, FREE, ABANDONED */
#define UNOWNED 0
#define FREE_ 20
#define ABANDONED 21

/* reference word: E + 4 W + 16 S */
#define E1 1
#define W1 4
#define SB 16
#define EOF_(x) ((x)&3)

#define NONE 0
#define WAITING 1
#define NOTIFIED 2
#define TIMEDOUT 3
#define INTERRUPTED 4

#define K 3
typedef Buffer { byte a[K]; byte v[K]; byte n };
byte mem[NA];
Buffer sb[NT];
byte cs[NO];          /* ghost: who is inside */
byte gh[NO];          /* ghost: the object's hash for ever, 0 while it has none */
byte mfree[NM];       /* t+1: on t's list; NT+1: in the pool; 0: attached or abandoned */
byte Q[NM];           /* entry queue, as a set: any order of wakeups is covered */
byte succ[NM];        /* the successor of the throttle, t+1 */
byte WSET[NM];        /* wait set */
bit permit[NT];
byte ws[NT];          /* wait state of a thread's node */
bit flag;
bit intr;             /* interrupt status of thread 0 */
bit published;
byte fin;
#ifndef SUSPENDED
#define SUSPENDED (NT-1)
#endif
bit susp;             /* suspension of thread SUSPENDED requested */
byte given, consumed; /* ghost: notifications */

#define EMPTY(t) (sb[t].n==0)
inline STO(t,ad,val) { atomic { sb[t].n<K -> sb[t].a[sb[t].n]=ad; sb[t].v[sb[t].n]=val; sb[t].n++ } }
inline LD(t,ad,r) { atomic { if
   :: sb[t].n==3 && sb[t].a[2]==ad -> r=sb[t].v[2]
   :: else -> if
     :: sb[t].n>=2 && sb[t].a[1]==ad -> r=sb[t].v[1]
     :: else -> if :: sb[t].n>=1 && sb[t].a[0]==ad -> r=sb[t].v[0] :: else -> r=mem[ad] fi fi fi } }
inline FENCE(t) { EMPTY(t) }
inline CASX(t,ad,o_,n_,ok) { atomic { EMPTY(t) -> if :: mem[ad]==o_ -> mem[ad]=n_; ok=1 :: else -> ok=0 fi } }
inline FAA(t,ad,d,old) { atomic { EMPTY(t) -> old=mem[ad]; mem[ad]=mem[ad]+d } }
inline DRAIN1(t) { mem[sb[t].a[0]]=sb[t].v[0]; sb[t].a[0]=sb[t].a[1]; sb[t].v[0]=sb[t].v[1]; sb[t].a[1]=sb[t].a[2]; sb[t].v[1]=sb[t].v[2]; sb[t].a[2]=0; sb[t].v[2]=0; sb[t].n-- }
inline MEMBARRIER(t) { FENCE(t); i_=0; do :: i_<NT -> atomic { do :: sb[i_].n>0 -> DRAIN1(i_) :: else -> break od; i_++ } :: else -> break od; i_=0 }
proctype buf(byte t) { end: do :: atomic { sb[t].n>0 -> DRAIN1(t) } od }

/* the barrier pair */
#ifdef FENCED
#define LIGHT(t) FENCE(t)
#define HEAVY(t) FENCE(t)
#else
#define LIGHT(t) skip
#define HEAVY(t) MEMBARRIER(t)
#endif

/* a record for thread t: its own list first, then the pool */
inline ALLOC(t,m) { d_step { m=0; do :: m<NM && mfree[m]!=t+1 -> m++ :: else -> break od;
   if :: m==NM -> m=0; do :: m<NM && mfree[m]!=NT+1 -> m++ :: else -> break od; assert(m<NM); mfree[m]=t+1; mem[OW(m)]=t+1 :: else fi } }

inline RECYCLE(t,m) {
#ifndef M_GUARD_BUMP
   LD(t,GU(m),r); STO(t,GU(m),(r+1)%4);
#endif
#ifdef M_FREE_TAKEABLE
   STO(t,OW(m),UNOWNED);
#endif
   mfree[m]=t+1 }

#define PICK(q) :: (Q[m]&(1<<q))!=0 -> Q[m]=Q[m]&~(1<<q); PICKED(q)
#ifdef NOTHROTTLE
#define PICKED(q) permit[q]=1
#else
#define PICKED(q) succ[m]=q+1; permit[q]=1
#endif
/* wake: the pop is done under the queue lock; the unpark after it is covered, since a permit may
 * be consumed at any later time */
inline WAKE(t,m) { atomic { EMPTY(t) -> if :: Q[m]!=0 && succ[m]==0 -> if
   PICK(0)
   PICK(1)
#if NT>2
   PICK(2)
#endif
   fi :: else fi } }
#define NOSUCC(t,m) if :: succ[m]==t+1 -> succ[m]=0 :: else fi
inline ENQUEUE(t,m) { atomic { EMPTY(t) -> NOSUCC(t,m); Q[m]=Q[m]|(1<<t) } }
inline DEQUEUE(t,m) { atomic { EMPTY(t) -> Q[m]=Q[m]&~(1<<t); NOSUCC(t,m) } }
#define WAKE_IF_ENTERING(t,m) LD(t,ST_(m),r); if :: EOF_(r)!=0 -> WAKE(t,m) :: else fi

inline SET_STICKY(m) { atomic { if :: (mem[ST_(m)] & SB)==0 -> mem[ST_(m)]=mem[ST_(m)]+SB :: else fi } }
inline PAY_BARRIER(t,m,old) {
   if :: (old & SB)==0 ->
#if defined(STICKY) && defined(M_STICKY_EARLY)
      SET_STICKY(m);
#endif
#ifndef M_HEAVY
      HEAVY(t);
#endif
#if defined(STICKY) && !defined(M_STICKY_EARLY)
      SET_STICKY(m)
#endif
      :: else fi
}

/* leave_record and reclaim */
#define UNUSED(m) (mem[ST_(m)]==0 || mem[ST_(m)]==SB)
#ifdef M_RECLAIM_RECHECK
#define STILL_UNUSED(m) true
#else
#define STILL_UNUSED(m) UNUSED(m)
#endif
inline RECLAIM(t,m) { do
     :: UNUSED(m) -> CASX(t,OW(m),ABANDONED,t+1,ok);
        if
        :: ok -> if
           :: STILL_UNUSED(m) -> assert(Q[m]==0 && WSET[m]==0); atomic { mem[ST_(m)]=mem[ST_(m)]&(SB-1) }; RECYCLE(t,m); break
           :: else -> STO(t,OW(m),ABANDONED); FENCE(t)
           fi
        :: else -> break
        fi
     :: else -> break
     od }
inline LEAVE_RECORD(t,m) { FAA(t,ST_(m),-E1,old);
#ifndef M_LEAVER_RECLAIMS
   if :: mem[OW(m)]==ABANDONED -> RECLAIM(t,m) :: else fi
#endif
}

/* notify_node: one CAS decides; the node moves to the entry queue, the count from W to E */
#ifndef M_NOTIFY_CAS
#define MAY_NOTIFY(w) (ws[w]==WAITING)
#else
#define MAY_NOTIFY(w) (ws[w]!=NONE)
#endif
#ifndef M_NOTIFY_LINK
#define IN_ONE_STEP(m,w) Q[m]=Q[m]|(1<<w)
#define IN_ANOTHER_STEP(t,m,w)
#else
#define IN_ONE_STEP(m,w) skip
#define IN_ANOTHER_STEP(t,m,w) if :: ok -> atomic { EMPTY(t) -> Q[m]=Q[m]|(1<<w) } :: else fi;
#endif
inline NOTIFY(t,m,w) {
   atomic { EMPTY(t) -> ok=0;
      if :: (WSET[m]&(1<<w))!=0 -> WSET[m]=WSET[m]&~(1<<w);
            if :: MAY_NOTIFY(w) -> ws[w]=NOTIFIED; given++; IN_ONE_STEP(m,w); ok=1 :: else fi
         :: else fi };
   IN_ANOTHER_STEP(t,m,w)
   if :: ok -> FAA(t,ST_(m),E1-W1,old) :: else fi }

/* publish: LOCAL goes from the lock word and from the word that the record keeps */
#ifdef M_PUBLISH_RECORD
#define PUBLISH(t) LD(t,LW(0),r); STO(t,LW(0),r&~LOCAL); FENCE(t); published=1
#else
#define PUBLISH(t) LD(t,LW(0),r); if :: INFL(r) -> LD(t,HA(BODY(r)),h); STO(t,HA(BODY(r)),h&~LOCAL) :: else fi; STO(t,LW(0),r&~LOCAL); FENCE(t); published=1
#endif

#ifdef WAIT
#ifdef TWOWAITERS
#define ROLES(t) 1
#define WAITS(t) (t==0 || t==2)
#else
#define ROLES(t) (t<2)
#define WAITS(t) (t==0)
#endif
#define WAIT_ROLES :: WAITS(t) && it==ROUNDS(t) -> role=1; o=0 :: t==1 && it==ROUNDS(t) -> role=2; o=0
#else
#define ROLES(t) 0
#define WAIT_ROLES
#endif
#ifdef LOCALOBJ
/* object 0 belongs to thread 0 until it is published */
#define MAY_USE0 (t==0 || published)
#else
#define MAY_USE0 true
#endif
#if NO>1
#define SECOND :: o=1
#else
#define SECOND
#endif
#ifdef PLAN
#define PICK_ROLE_AND_OBJECT o=(t==PLAN -> it%2 : (t==2 -> 1 : 0));
#else
#define PICK_ROLE_AND_OBJECT if WAIT_ROLES :: else -> if :: MAY_USE0 -> o=0 SECOND fi fi;
#endif

proctype thr(byte t) {
  byte it=0, o, raw, m, r, old, i_, role, h; bit ok; bit again;
#ifdef LOCALOBJ
  bit loc;
#endif
  do
  :: it==ROUNDS(t)+ROLES(t) -> break
  :: else ->
     role=0; PICK_ROLE_AND_OBJECT
     it++;

     /* ---------------- enter ---------------- */
retry: LD(t,LW(o),raw);
     if
     :: !INFL(raw) ->                                                        /* inflate */
        ALLOC(t,m);
        if :: BODY(raw)==EMPTYW -> h=FRESH(o,t)|(raw&LOCAL) :: else -> h=raw fi;
        STO(t,HA(m),h);
#ifdef LOCALOBJ
        if :: raw&LOCAL -> atomic { STO(t,LW(o),m|LOCAL); ok=1; if :: gh[o]==0 -> gh[o]=BODY(h) :: else fi }
           :: else ->
#endif
        atomic { CASX(t,LW(o),raw,m,ok); if :: ok && BODY(raw)==EMPTYW -> assert(gh[o]==0); gh[o]=BODY(h) :: else fi };
#ifdef LOCALOBJ
        fi;
#endif
        if :: ok -> mfree[m]=0 :: else -> goto retry fi
     :: else ->
        m=BODY(raw); LD(t,OW(m),r); assert(r!=t+1);
        if :: r==UNOWNED -> CASX(t,OW(m),UNOWNED,t+1,ok) :: else -> ok=0 fi; /* enter_record */
        if
        :: ok ->
#ifndef M_STALE_CHECK
           LD(t,LW(o),r);
           if :: BODY(r)!=BODY(raw) ->                                       /* leave_stale_record */
              STO(t,OW(m),UNOWNED);
#ifndef M_STALE_FENCE
              FENCE(t);
#endif
#ifndef M_STALE_WAKE
              WAKE_IF_ENTERING(t,m);
#endif
              goto retry :: else fi
#else
           skip
#endif
        :: else ->
           FAA(t,ST_(m),E1,old); PAY_BARRIER(t,m,old);                       /* announce */
#ifndef M_ANNOUNCE_CHECK
           LD(t,LW(o),r);
           if :: BODY(r)!=BODY(raw) -> LEAVE_RECORD(t,m); goto retry :: else fi;
#endif
queued:    ENQUEUE(t,m);                                                     /* enter_queued */
#ifndef M_QUEUE_CHECK
           LD(t,LW(o),r);
           if :: BODY(r)!=BODY(raw) -> DEQUEUE(t,m); LEAVE_RECORD(t,m); goto retry :: else fi;
#endif
#ifndef M_OWNER_CHECK
           LD(t,OW(m),r); if :: r==UNOWNED -> CASX(t,OW(m),UNOWNED,t+1,ok) :: else -> ok=0 fi;
#else
           ok=0;
#endif
taken:     skip;
#ifdef SUSPEND
           if :: t==SUSPENDED && susp ->
#ifndef M_GIVE_BACK
              if :: ok -> STO(t,OW(m),UNOWNED) :: else fi;
#else
              if :: ok -> fin==NT-1; susp=0; goto won :: else fi;
#endif
              DEQUEUE(t,m); FENCE(t);
#ifndef M_BATON
              WAKE(t,m);
#endif
              fin==NT-1; susp=0;
              goto queued
           :: else fi;
won:
#endif
           if :: ok -> FAA(t,ST_(m),-E1,old); DEQUEUE(t,m); goto locked :: else fi;
           atomic { permit[t] -> permit[t]=0 };                              /* park */
woken:     if                                                                /* spin_as_successor */
           :: LD(t,OW(m),r); if :: r==UNOWNED -> CASX(t,OW(m),UNOWNED,t+1,ok) :: else -> ok=0 fi;
              if :: ok -> goto taken :: else -> goto queued fi
           :: goto queued
           fi
        fi
     fi;

     /* ---------------- inside ---------------- */
locked: assert(cs[o]==0); cs[o]=t+1;
     LD(t,LW(o),r); assert(BODY(r)==m); LD(t,OW(m),r); assert(r==t+1);
     LD(t,HA(m),r); assert(BODY(r)==gh[o]);
     if
     :: role==1 && !flag ->                                                  /* wait */
           WSET[m]=WSET[m]|(1<<t); ws[t]=WAITING; cs[o]=0;
#ifndef M_COUNT_WAITER
           FAA(t,ST_(m),W1,old);
#else
           FENCE(t);
#endif
           STO(t,OW(m),UNOWNED);
#ifndef M_WAIT_FENCE
           FENCE(t);
#endif
           WAKE_IF_ENTERING(t,m);
decide:    if
           :: ws[t]==NOTIFIED -> skip
           :: else -> if
#ifdef INTERRUPT
              :: t==0 && intr -> atomic { if :: ws[t]==WAITING -> ws[t]=INTERRUPTED :: else fi }
#endif
#ifdef TIMEOUT
              :: atomic { if :: ws[t]==WAITING -> ws[t]=TIMEDOUT :: else fi }
#endif
              :: atomic { permit[t] -> permit[t]=0 };
#ifndef M_STALE_PERMIT
                 goto decide
#else
                 skip
#endif
              fi
           fi;
           if :: ws[t]==TIMEDOUT || ws[t]==INTERRUPTED ->
                 FAA(t,ST_(m),E1-W1,old);
#ifndef M_HEAVY_AFTER_WAIT
                 PAY_BARRIER(t,m,old)
#else
                 skip
#endif
              :: else fi;
           raw=m; if :: ws[t]==NOTIFIED -> goto woken :: else -> goto queued fi
     :: role==1 && flag ->
           d_step { if :: ws[t]==TIMEDOUT || ws[t]==INTERRUPTED -> WSET[m]=WSET[m]&~(1<<t)
                       :: ws[t]==NOTIFIED -> consumed++
                       :: else fi;
                    if :: ws[t]==INTERRUPTED -> intr=0 :: else fi; ws[t]=NONE }
     :: role==2 -> flag=1;                                                   /* notify */
           NOTIFY(t,m,0);
#ifdef TWOWAITERS
           NOTIFY(t,m,2)
#endif
     :: else
     fi;
#ifdef LOCALOBJ
     if :: o==0 && t==0 && !published -> PUBLISH(t) :: skip fi;
#endif
     cs[o]=0;

     /* ---------------- exit ---------------- */
exit_contended: LD(t,ST_(m),r);
     if
     :: r==0 ->                                                              /* speculate */
        LD(t,HA(m),h);
#ifdef M_DROP_HASH
        h=EMPTYW;
#endif
#ifdef LOCALOBJ
        if :: o==0 && published -> assert((h&LOCAL)==0) :: else fi;
#endif
        STO(t,LW(o),h);
        LIGHT(t);
#ifndef M_EXIT_RECHECK
        LD(t,ST_(m),r);
#endif
        if :: r==0 -> RECYCLE(t,m)
           :: else ->                                                        /* reattach */
#ifdef NOREATTACH
              FENCE(t); ok=0;
#else
              CASX(t,LW(o),h,m|(h&LOCAL),ok);
#endif
              if :: ok -> goto exit_contended
                 :: else -> STO(t,OW(m),ABANDONED);
#ifndef M_ABANDON_FENCE
                    FENCE(t);
#endif
#ifndef M_EXPEL
                    atomic { i_=0; do :: i_<NT -> if :: (Q[m]&(1<<i_))!=0 -> permit[i_]=1; Q[m]=Q[m]&~(1<<i_) :: else fi; i_++ :: else -> break od; i_=0 };
#endif
#ifndef M_ABANDONER_RECLAIMS
                    RECLAIM(t,m)
#else
                    skip
#endif
              fi
        fi
     :: r!=0 && EOF_(r)==0 && (r&SB)==0 ->                                   /* only_waiting */
        STO(t,OW(m),UNOWNED); LIGHT(t);
#ifndef M_WAITERS_RECHECK
        LD(t,ST_(m),r);
        if :: EOF_(r)!=0 -> FENCE(t); WAKE(t,m) :: else fi
#endif
#ifdef STICKY
     :: r==SB ->                                                             /* only_sticky, k-th quiet exit */
#ifndef M_STICKY_PLAIN
        CASX(t,ST_(m),SB,0,ok);
#else
        STO(t,ST_(m),0);
#endif
        goto exit_contended
#endif
     :: EOF_(r)!=0 || (r&SB)!=0 ->
        STO(t,OW(m),UNOWNED);
#ifndef M_RELEASE_FENCE
        FENCE(t);
#endif
        WAKE_IF_ENTERING(t,m)
     fi;
#ifdef LOCALOBJ
     if :: o==0 && t==0 && !published -> PUBLISH(t) :: skip fi;
#endif
     m=0; r=0; raw=0; ok=0; old=0; h=0
  od;
  FENCE(t);
#ifdef LOCALOBJ
  if :: t==0 && !published -> PUBLISH(t); FENCE(t) :: else fi;
#endif
  fin++;
  if :: fin==NT -> d_step {
        m=0; do :: m<NM ->
           assert(mfree[m]!=0 || BODY(mem[LW(0)])==m
#if NO>1
                  || BODY(mem[LW(1)])==m
#endif
                 );
           assert(EOF_(mem[ST_(m)])==0 && Q[m]==0 && WSET[m]==0 && mem[ST_(m)]<=SB && succ[m]==0);
           m++ :: else -> break od;
#ifdef WAIT
        assert(given==consumed)
#endif
        }
     :: else fi
}

#ifdef HASHER
/* hash_code of object 0, twice: the same answer, and the object's */
proctype hasher() { byte raw,h,h1,g1,g2,r,k; bit ok; k=0;
  do :: k==2 -> break :: else ->
again: raw=mem[LW(0)];
  if :: raw==EMPTYW -> atomic { if :: mem[LW(0)]==EMPTYW -> mem[LW(0)]=FRESH(0,NT); assert(gh[0]==0); gh[0]=FRESH(0,NT); ok=1 :: else -> ok=0 fi }; if :: ok -> h=FRESH(0,NT) :: else -> goto again fi
     :: raw!=EMPTYW && !INFL(raw) -> h=raw
     :: INFL(raw) -> g1=mem[GU(raw)];
#ifndef M_HASH_WORD_CHECK
        r=mem[LW(0)]; if :: r!=raw -> goto again :: else fi;
#endif
        h=mem[HA(raw)];
#ifndef M_HASH_GUARD_CHECK
        g2=mem[GU(raw)]; if :: g1!=g2 -> goto again :: else fi
#endif
  fi;
  assert(h==gh[0]); if :: k==1 -> assert(h==h1) :: else -> h1=h fi; k++ od }
#endif

init { byte i=0; d_step { do :: i<NO -> mem[LW(i)]=EMPTYW; i++ :: else -> break od; i=0;
#ifdef LOCALOBJ
  mem[LW(0)]=EMPTYW|LOCAL;
#endif
  do :: i<NM -> if :: i<NT -> mfree[i]=i+1; mem[OW(i)]=i+1 :: else -> mfree[i]=NT+1; mem[OW(i)]=FREE_ fi; i++ :: else -> break od; i=0 };
  atomic { do :: i<NT -> run buf(i); run thr(i); i++ :: else -> break od; i=0;
#ifdef HASHER
  run hasher();
#endif
#ifdef INTERRUPT
  run interrupter();
#endif
#ifdef SUSPEND
  run suspender();
#endif
  } }
#ifdef INTERRUPT
proctype interrupter() { atomic { intr=1; permit[0]=1 } }
#endif
#ifdef SUSPEND
proctype suspender() { susp=1 }
#endif
