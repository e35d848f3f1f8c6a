// A client of the external signer with the stub that kube-apiserver has, and go-jose to verify tokens.
//
//	client SOCKET tokens    signs, verifies, and sends what is malformed
//	client SOCKET policy    signs what the policy allows, and what it refuses
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	externaljwt "k8s.io/externaljwt/apis/v1"
	alpha "k8s.io/externaljwt/apis/v1alpha1"
)

const issuer = "https://kubernetes.default.svc.cluster.local"

var ctx, cancel = context.WithTimeout(context.Background(), 5*time.Minute)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func expect(holds bool, what string) {
	if !holds {
		check(fmt.Errorf("expected: %s", what))
	}
}

// claims are those that an API server makes for a pod.
func claims(audience string, life time.Duration) map[string]any {
	now := time.Now().Unix()
	return map[string]any{
		"aud": []string{audience}, "exp": now + int64(life.Seconds()), "iat": now, "nbf": now, "iss": issuer,
		"jti": "8c4d2a5e-3f44-4a53-a6c9-1f2b7a8f8a10", "sub": "system:serviceaccount:payments:web",
		"kubernetes.io": map[string]any{
			"namespace": "payments", "node": map[string]any{"name": "node-1", "uid": "3"}, "pod": map[string]any{"name": "web-0", "uid": "1"},
			"serviceaccount": map[string]any{"name": "web", "uid": "2"}, "warnafter": now + 3607,
		},
	}
}

func encoded(claims map[string]any) string {
	text, err := json.Marshal(claims)
	check(err)
	return base64.RawURLEncoding.EncodeToString(text)
}

// published has the keys as an API server reads them.
func published(client externaljwt.ExternalJWTSignerClient) map[string]*ecdsa.PublicKey {
	answer, err := client.FetchKeys(ctx, &externaljwt.FetchKeysRequest{})
	check(err)
	expect(answer.RefreshHintSeconds > 0, "a positive refresh hint")
	expect(time.Since(answer.DataTimestamp.AsTime()).Abs() < time.Minute, "a fresh time stamp")
	keys := map[string]*ecdsa.PublicKey{}
	for _, key := range answer.Keys {
		expect(key.KeyId != "" && len(key.KeyId) <= 1024, "an id of a key")
		public, err := x509.ParsePKIXPublicKey(key.Key)
		check(err)
		own, is := public.(*ecdsa.PublicKey)
		expect(is && own.Curve == elliptic.P256(), "a key of P-256")
		keys[key.KeyId] = own
	}
	return keys
}

// token has a token signed, and checks its header as an API server does.
func token(client externaljwt.ExternalJWTSignerClient, claims string) (string, error) {
	answer, err := client.Sign(ctx, &externaljwt.SignJWTRequest{Claims: claims})
	if err != nil {
		return "", err
	}
	header, err := base64.RawURLEncoding.DecodeString(answer.Header)
	check(err)
	var fields map[string]string
	check(json.Unmarshal(header, &fields))
	expect(len(fields) == 3 && fields["typ"] == "JWT" && fields["alg"] == "ES256" && fields["kid"] != "", "a header of alg, kid and typ")
	return answer.Header + "." + claims + "." + answer.Signature, nil
}

// verify verifies with a key that is published, and gives the claims.
func verify(text string, keys map[string]*ecdsa.PublicKey, audience string) jwt.Claims {
	parsed, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.ES256})
	check(err)
	key, known := keys[parsed.Headers[0].KeyID]
	expect(known, "a key that is published")
	var public jwt.Claims
	check(parsed.Claims(key, &public))
	check(public.Validate(jwt.Expected{Issuer: issuer, AnyAudience: jwt.Audience{audience}, Time: time.Now()}))
	return public
}

func tokens(connection *grpc.ClientConn) {
	client := externaljwt.NewExternalJWTSignerClient(connection)
	metadata, err := client.Metadata(ctx, &externaljwt.MetadataRequest{})
	check(err)
	expect(metadata.MaxTokenExpirationSeconds >= 600, "a life that an API server takes")
	keys := published(client)
	fmt.Println("keys", len(keys))
	asked := encoded(claims(issuer, time.Hour))
	first, err := token(client, asked)
	check(err)
	expect(verify(first, keys, issuer).Subject == "system:serviceaccount:payments:web", "the subject")
	fmt.Println("verified")
	again, err := token(client, asked)
	check(err)
	expect(again == first, "the same signature for the same claims")
	fmt.Println("again")
	older, err := alpha.NewExternalJWTSignerClient(connection).Sign(ctx, &alpha.SignJWTRequest{Claims: asked})
	check(err)
	expect(strings.HasSuffix(first, "."+older.Signature), "v1alpha1 signs as v1 does")
	fmt.Println("v1alpha1")
	malformed(connection, client)
	last, err := token(client, encoded(claims(issuer, 2*time.Hour)))
	check(err)
	verify(last, keys, issuer)
	fmt.Println("done")
}

func malformed(connection *grpc.ClientConn, client externaljwt.ExternalJWTSignerClient) {
	text := base64.RawURLEncoding.EncodeToString
	cases := map[string]codes.Code{
		"": codes.InvalidArgument, "e30=": codes.InvalidArgument, "%": codes.InvalidArgument, text([]byte("[]")): codes.InvalidArgument,
		text([]byte(`{"sub":"a","sub":"b"}`)): codes.InvalidArgument, text([]byte(`{"exp":null}`)): codes.InvalidArgument,
		text([]byte{0xff}): codes.InvalidArgument, strings.Repeat("A", 1<<20): codes.ResourceExhausted,
	}
	for claims, code := range cases {
		_, err := client.Sign(ctx, &externaljwt.SignJWTRequest{Claims: claims})
		expect(status.Code(err) == code, fmt.Sprintf("%s for %.20q, got %v", code, claims, err))
	}
	none := &externaljwt.MetadataResponse{}
	err := connection.Invoke(ctx, "/v1.ExternalJWTSigner/Revoke", &externaljwt.MetadataRequest{}, none)
	expect(status.Code(err) == codes.Unimplemented, "an unknown method")
	fmt.Println("malformed")
}

func policy(connection *grpc.ClientConn) {
	client := externaljwt.NewExternalJWTSignerClient(connection)
	keys := published(client)
	allowed := func(audience string, life time.Duration) {
		text, err := token(client, encoded(claims(audience, life)))
		check(err)
		verify(text, keys, audience)
	}
	allowed(issuer, 24*time.Hour)
	allowed("vault", time.Hour)
	fmt.Println("allowed")
	changed := func(name string, value any) map[string]any {
		claims := claims(issuer, time.Hour)
		claims[name] = value
		return claims
	}
	refused := []map[string]any{
		claims(issuer, 365*24*time.Hour), claims("vault", 24*time.Hour), claims("https://attacker.example", time.Hour),
		changed("iss", "https://attacker.example"), changed("sub", "system:admin"),
		changed("aud", []string{issuer, "https://attacker.example"}),
	}
	for _, claims := range refused {
		_, err := token(client, encoded(claims))
		expect(status.Code(err) == codes.PermissionDenied, fmt.Sprintf("a refusal of %v, got %v", claims, err))
	}
	fmt.Println("refused", len(refused))
}

func main() {
	defer cancel()
	socket, what := os.Args[1], os.Args[2]
	connection, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	check(err)
	switch what {
	case "tokens":
		tokens(connection)
	case "policy":
		policy(connection)
	}
}
