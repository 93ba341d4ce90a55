export { makePlan, warmUpLimits, type PlanOptions } from './make-plan.ts';
export { readStudy, studyIds } from './read-study.ts';
