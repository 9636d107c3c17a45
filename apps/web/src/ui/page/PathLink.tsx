import { linkOf } from '@drawhouse/session/page-link';
import { go } from '../../lib/navigation.ts';

export const PathLink = linkOf(go.to);
