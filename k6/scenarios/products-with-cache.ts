import { scenario } from '../lib/scenario.ts';

const { options, setup, request, handleSummary } = scenario('products-with-cache');

export { options, setup, handleSummary, request as default };
