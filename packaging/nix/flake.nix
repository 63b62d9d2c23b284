{
  description = "tulk, a client for the DeepL API and compatible servers";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "@VERSION@";

      # The Linux programs are static, so they run on NixOS.
      releases = {
        x86_64-linux = {
          target = "x86_64-unknown-linux-musl";
          hash = "@SRI tulk-@VERSION@-x86_64-unknown-linux-musl.tar.gz@";
        };
        aarch64-linux = {
          target = "aarch64-unknown-linux-musl";
          hash = "@SRI tulk-@VERSION@-aarch64-unknown-linux-musl.tar.gz@";
        };
        aarch64-darwin = {
          target = "aarch64-apple-darwin";
          hash = "@SRI tulk-@VERSION@-aarch64-apple-darwin.tar.gz@";
        };
      };
    in
    {
      packages = builtins.mapAttrs
        (system: release:
          let pkgs = nixpkgs.legacyPackages.${system}; in
          {
            default = pkgs.stdenvNoCC.mkDerivation {
              pname = "tulk";
              inherit version;
              src = pkgs.fetchurl {
                url = "https://github.com/@REPOSITORY@/releases/download/v${version}/tulk-${version}-${release.target}.tar.gz";
                inherit (release) hash;
              };
              dontConfigure = true;
              dontBuild = true;
              # Stripping would break the signature of the macOS program.
              dontStrip = true;
              dontPatchELF = true;
              installPhase = ''
                runHook preInstall
                sh ./install.sh --prefix "$out"
                # The list for `install.sh --uninstall`. Nix removes the whole package.
                rm -r "$out/share/tulk"
                runHook postInstall
              '';
              meta = {
                description = "Command-line client for the DeepL API and compatible servers";
                homepage = "https://github.com/@REPOSITORY@";
                license = [ pkgs.lib.licenses.mit pkgs.lib.licenses.asl20 ];
                sourceProvenance = [ pkgs.lib.sourceTypes.binaryNativeCode ];
                platforms = builtins.attrNames releases;
                mainProgram = "tulk";
              };
            };
          })
        releases;

      apps = builtins.mapAttrs
        (system: packages: {
          default = {
            type = "app";
            program = "${packages.default}/bin/tulk";
          };
        })
        self.packages;
    };
}
