/** The contract as data, read and validated: what every other part of the lab imports. */
export { contractSha256, readContract, readThresholds } from './read-contract.ts';
export { readStacks } from './read-stacks.ts';
