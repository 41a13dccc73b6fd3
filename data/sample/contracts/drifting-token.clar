;; A SIP-010 token whose last change cannot be repeated without the chain: the call returns the burn block of that day.
(impl-trait .sip-010-trait.sip-010-trait)
(define-fungible-token drifting)
(define-data-var owner principal tx-sender)
(define-data-var name (string-ascii 32) "Drifting Token")
(define-data-var token-uri (optional (string-utf8 256)) (some u"data:,{%22name%22:%22Drifting%20Token%22,%22description%22:%22As%20it%20was%20deployed.%22,%22image%22:%22ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/drift.png%22}"))

(define-read-only (get-name) (ok (var-get name)))
(define-read-only (get-symbol) (ok "DRIFT"))
(define-read-only (get-decimals) (ok u6))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance drifting who)))
(define-read-only (get-total-supply) (ok (ft-get-supply drifting)))
(define-read-only (get-token-uri) (ok (var-get token-uri)))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? drifting amount sender recipient)))

(define-public (drift (new-uri (string-utf8 256)))
  (begin
    (asserts! (is-eq tx-sender (var-get owner)) (err u401))
    (var-set token-uri (some new-uri))
    (ok burn-block-height)))
