import { nativeBed } from './native/bed.ts';
import { describeStacks } from './suite.ts';

describeStacks(await nativeBed());
