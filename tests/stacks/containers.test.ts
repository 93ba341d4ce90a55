import { test } from 'vitest';
import { needDocker, whyNoDocker } from '../docker.ts';
import { containersBed } from './containers/bed.ts';
import { describeStacks } from './suite.ts';

const reason = await whyNoDocker();
if (reason === null) describeStacks(await containersBed());
else {
  test('stacks, containers: every test of the suite', (context) => {
    needDocker(context, reason);
  });
}
