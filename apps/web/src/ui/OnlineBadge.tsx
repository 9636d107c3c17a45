import { commonTexts } from '../commonTexts.ts';
import { StatusBadge } from './StatusBadge.tsx';

const texts = commonTexts.accounts;

export function OnlineBadge({ isOnline }: { isOnline: boolean }) {
  return <StatusBadge tone={isOnline ? 'good' : 'neutral'}>{isOnline ? texts.online : texts.offline}</StatusBadge>;
}
