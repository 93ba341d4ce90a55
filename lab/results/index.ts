export { readBuiltinRaw, readBuiltinRaws } from './raw.ts';
export { readResultSet, type StoredSet } from './read.ts';
export { schemaFiles } from './schema.ts';
export { createResultFolder, openStore, type ResultStore } from './store.ts';
