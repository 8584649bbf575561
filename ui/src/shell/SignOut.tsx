import { LogOut } from "lucide-react";
import { api } from "../api/client";
import { useSession } from "../api/queries";
import { Tip } from "../parts/Tip";
import { t } from "../text/language";
import { showToast } from "./Toasts";

/** Only where a key has let this browser in. The page is loaded anew: nothing of this person stays in its memory or in the tab's. */
export function SignOut() {
  const session = useSession();
  if (!session.data?.signed_in) return null;
  const leave = async () => {
    try {
      await api.closeSession();
      sessionStorage.clear();
      window.location.assign("/app");
    } catch {
      showToast(t("You are still signed in: the server did not answer. Try again."), "bad");
    }
  };
  return (
    <Tip label={t("Sign out {name}", { name: session.data.user_id })}>
      <button type="button" className="quietly grid size-7 place-items-center" aria-label={t("Sign out")} onClick={() => void leave()}>
        <LogOut size={15} />
      </button>
    </Tip>
  );
}
