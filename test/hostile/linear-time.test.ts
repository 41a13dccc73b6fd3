// Checks that each reader of texts from third parties takes time that is linear in the length of the text.
import { testReaders } from './linear-readers.ts';

testReaders(25_000);
