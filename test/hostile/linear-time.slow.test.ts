// Checks that each reader of texts from third parties takes time that is linear in the length of texts of a megabyte.
import { testReaders } from './linear-readers.ts';

testReaders(250_000, 500);
