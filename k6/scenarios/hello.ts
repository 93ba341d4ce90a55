import { scenario } from '../lib/scenario.ts';

const { options, setup, request, handleSummary } = scenario('hello');

export { options, setup, handleSummary, request as default };
