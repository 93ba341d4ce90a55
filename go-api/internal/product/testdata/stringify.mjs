// Writes stringify.json: what JSON.stringify prints for products.json.
// Run in this folder: node stringify.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const products = JSON.parse(readFileSync('products.json', 'utf8'));
writeFileSync('stringify.json', JSON.stringify({ count: products.length, products }));
