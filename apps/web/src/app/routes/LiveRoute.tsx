import { useParams } from '@tanstack/react-router';
import { LivePanelPage } from '../../features/live/LivePanelPage.tsx';

/** The live panel of the game and admin of the path. */
export function LiveRoute() {
  const { gameId, adminId, username } = useParams({ from: '/$role/game/$gameId/$adminId/$username' });
  return <LivePanelPage key={`${gameId}/${adminId}`} gameId={gameId} adminId={adminId} username={username} />;
}
