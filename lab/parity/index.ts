export { parityGate, primeCache, type GateOutcome, type Target } from './gate.ts';
