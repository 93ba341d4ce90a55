import { scenario } from '../lib/scenario.ts';

const { options, setup, request, handleSummary } = scenario('products-where-like');

export { options, setup, handleSummary, request as default };
