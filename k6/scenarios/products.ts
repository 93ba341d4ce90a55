import { scenario } from '../lib/scenario.ts';

const { options, setup, request, handleSummary } = scenario('products');

export { options, setup, handleSummary, request as default };
