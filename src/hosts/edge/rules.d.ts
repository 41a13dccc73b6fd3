// What a host's adapter writes beside its program: the rules of the build, as data.
import type { SiteRules } from './rules.ts';

export const RULES: SiteRules;
