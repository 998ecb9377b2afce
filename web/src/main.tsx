import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import "./ui/theme/theme.css";
import { applyTheme, getStoredTheme } from "./ui/theme/theme.ts";

applyTheme(getStoredTheme());
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
